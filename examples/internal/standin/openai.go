package standin

import (
	"encoding/json"
	"errors"
	"fmt"
)

// chat is the Chat Completions API of OpenAI.
type chat struct{}

func (chat) path() string { return "/v1/chat/completions" }

type chatCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

func (chat) read(body []byte) (c conversation, err error) {
	var r struct {
		Model string
		Tools []struct {
			Type     string
			Function struct {
				Name       string
				Parameters schema
				Strict     bool
			}
		}
		Messages []struct {
			Role, Content string
			Calls         []chatCall `json:"tool_calls"`
			ID            string     `json:"tool_call_id"`
		}
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return c, err
	}
	for _, t := range r.Tools {
		if err := strictFunction(t.Type, t.Function.Strict, t.Function.Parameters); err != nil {
			return c, fmt.Errorf("the tool %s: %w", t.Function.Name, err)
		}
		c.tools = append(c.tools, definition{t.Function.Name, t.Function.Parameters})
	}
	for _, m := range r.Messages {
		switch m.Role {
		case "user":
		case "assistant":
			for _, asked := range m.Calls {
				c.asked = append(c.asked, call{asked.ID, asked.Function.Name, json.RawMessage(asked.Function.Arguments)})
			}
		case "tool":
			c.answers = append(c.answers, answer{id: m.ID, content: m.Content})
		default:
			return c, fmt.Errorf("unknown role %q", m.Role)
		}
	}
	return c, nil
}

func (chat) write(s step) any {
	message := map[string]any{"role": "assistant", "content": s.say, "refusal": nil}
	reason := "stop"
	if len(s.calls) > 0 {
		calls := make([]chatCall, len(s.calls))
		for i, c := range s.calls {
			calls[i].ID, calls[i].Type = c.id, "function"
			calls[i].Function.Name, calls[i].Function.Arguments = c.name, string(c.args)
		}
		message["content"], message["tool_calls"], reason = nil, calls, "tool_calls"
	}
	return map[string]any{
		"object":  "chat.completion",
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": reason}},
	}
}

// strictFunction returns an error unless a tool is a strict function.
func strictFunction(toolType string, strict bool, parameters schema) error {
	if toolType != "function" || !strict {
		return errors.New("it is not a strict function")
	}
	return parameters.closed(true)
}

// responses is the Responses API of OpenAI.
type responses struct{}

func (responses) path() string { return "/v1/responses" }

// thought is the reasoning of the model, which a later request must send back.
const thought = "sealed"

type item struct {
	Type      string `json:"type"`
	ID        string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func (responses) read(body []byte) (c conversation, err error) {
	var r struct {
		Tools []struct {
			Type, Name string
			Parameters schema
			Strict     bool
		}
		Input []struct {
			item
			Role, Output string
			Encrypted    string `json:"encrypted_content"`
		}
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return c, err
	}
	for _, t := range r.Tools {
		if err := strictFunction(t.Type, t.Strict, t.Parameters); err != nil {
			return c, fmt.Errorf("the tool %s: %w", t.Name, err)
		}
		c.tools = append(c.tools, definition{t.Name, t.Parameters})
	}
	reminded := false
	for _, i := range r.Input {
		switch {
		case i.Role == "user":
		case i.Type == "reasoning":
			reminded = i.Encrypted == thought
		case i.Type == "function_call":
			c.asked = append(c.asked, call{i.ID, i.Name, json.RawMessage(i.Arguments)})
		case i.Type == "function_call_output":
			c.answers = append(c.answers, answer{id: i.ID, content: i.Output})
		default:
			return c, fmt.Errorf("an input item has the type %q", i.Type)
		}
	}
	if len(c.asked) > 0 && !reminded {
		return c, errors.New("the calls come without the reasoning before them")
	}
	return c, nil
}

func (responses) write(s step) any {
	var output []any
	for _, c := range s.calls {
		output = append(output, item{"function_call", c.id, c.name, string(c.args)})
	}
	if output != nil {
		reasoning := map[string]any{"type": "reasoning", "summary": []string{}, "encrypted_content": thought}
		output = append([]any{reasoning}, output...)
	} else {
		part := map[string]any{"type": "output_text", "text": s.say}
		output = []any{map[string]any{"type": "message", "role": "assistant", "content": []any{part}}}
	}
	return map[string]any{"object": "response", "status": "completed", "output": output}
}
