package standin

import (
	"encoding/json"
	"errors"
	"fmt"
)

// gemini is the generateContent method of the Gemini API.
type gemini struct{}

func (gemini) path() string { return "/v1beta/models/stand-in:generateContent" }

type function struct {
	ID       string          `json:"id,omitempty"`
	Name     string          `json:"name"`
	Args     json.RawMessage `json:"args,omitempty"`
	Response *struct {
		Output string `json:"output"`
		Error  string `json:"error"`
	} `json:"response,omitempty"`
}

type part struct {
	Text      string    `json:"text,omitempty"`
	Call      *function `json:"functionCall,omitempty"`
	Answer    *function `json:"functionResponse,omitempty"`
	Signature string    `json:"thoughtSignature,omitempty"`
}

type content struct {
	Role  string `json:"role"`
	Parts []part `json:"parts"`
}

func (gemini) read(body []byte) (c conversation, err error) {
	var r struct {
		Tools []struct {
			Functions []struct {
				Name   string
				Schema schema `json:"parametersJsonSchema"`
			} `json:"functionDeclarations"`
		}
		Contents []content
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return c, err
	}
	for _, t := range r.Tools {
		for _, f := range t.Functions {
			if err := f.Schema.closed(false); err != nil {
				return c, fmt.Errorf("the function %s: %w", f.Name, err)
			}
			c.tools = append(c.tools, definition{f.Name, f.Schema})
		}
	}
	for i, said := range r.Contents {
		if want := [...]string{"user", "model"}[i%2]; said.Role != want {
			return c, fmt.Errorf("content %d is of the %s, not of the %s", i, said.Role, want)
		}
		signed := false
		for _, p := range said.Parts {
			signed = signed || p.Signature == thought
			switch {
			case p.Call != nil && !signed:
				return c, errors.New("a function call comes without its thought signature")
			case p.Call != nil:
				c.asked = append(c.asked, call{p.Call.ID, p.Call.Name, p.Call.Args})
			case p.Answer != nil && p.Answer.Response != nil:
				a := answer{id: p.Answer.ID, content: p.Answer.Response.Output}
				if text := p.Answer.Response.Error; text != "" {
					a.content, a.failed = text, true
				}
				c.answers = append(c.answers, a)
			}
		}
	}
	return c, nil
}

func (gemini) write(s step) any {
	said := content{Role: "model"}
	for i, c := range s.calls {
		p := part{Call: &function{ID: c.id, Name: c.name, Args: c.args}}
		if i == 0 {
			p.Signature = thought
		}
		said.Parts = append(said.Parts, p)
	}
	if s.say != "" {
		said.Parts = append(said.Parts, part{Text: s.say})
	}
	return map[string]any{"candidates": []any{map[string]any{"content": said, "finishReason": "STOP", "index": 0}}}
}
