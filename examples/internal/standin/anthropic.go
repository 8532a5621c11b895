package standin

import (
	"encoding/json"
	"errors"
	"fmt"
)

// anthropic is the Messages API of Anthropic.
type anthropic struct{}

func (anthropic) path() string { return "/v1/messages" }

type block struct {
	Type    string          `json:"type"`
	Text    string          `json:"text,omitempty"`
	ID      string          `json:"id,omitempty"`
	Name    string          `json:"name,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
	Use     string          `json:"tool_use_id,omitempty"`
	Content string          `json:"content,omitempty"`
	Failed  bool            `json:"is_error,omitempty"`
}

func (anthropic) read(body []byte) (c conversation, err error) {
	var r struct {
		MaxTokens int `json:"max_tokens"`
		Tools     []struct {
			Name   string
			Schema schema `json:"input_schema"`
			Strict bool
		}
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return c, err
	}
	if r.MaxTokens <= 0 {
		return c, errors.New("max_tokens is missing")
	}
	for _, t := range r.Tools {
		if err := t.Schema.closed(false); t.Strict && err != nil {
			return c, fmt.Errorf("the tool %s cannot be strict: %w", t.Name, err)
		}
		c.tools = append(c.tools, definition{t.Name, t.Schema})
	}
	for i, m := range r.Messages {
		if want := [...]string{"user", "assistant"}[i%2]; m.Role != want {
			return c, fmt.Errorf("message %d is of the %s, not of the %s", i, m.Role, want)
		}
		var blocks []block
		if json.Unmarshal(m.Content, &blocks) != nil && i > 0 {
			return c, fmt.Errorf("message %d has no blocks", i)
		}
		for _, b := range blocks {
			c.add(b)
		}
		if m.Role == "user" {
			if err := c.check(); err != nil {
				return c, err
			}
		}
	}
	return c, nil
}

func (c *conversation) add(b block) {
	switch b.Type {
	case "tool_use":
		c.asked = append(c.asked, call{b.ID, b.Name, b.Input})
	case "tool_result":
		c.answers = append(c.answers, answer{b.Use, b.Content, b.Failed})
	}
}

func (anthropic) write(s step) any {
	content := []block{{Type: "text", Text: s.say}}
	reason := "end_turn"
	if len(s.calls) > 0 {
		content[0].Text, reason = "I will look around.", "tool_use"
	}
	for _, c := range s.calls {
		content = append(content, block{Type: "tool_use", ID: c.id, Name: c.name, Input: c.args})
	}
	return map[string]any{"type": "message", "role": "assistant", "content": content, "stop_reason": reason}
}
