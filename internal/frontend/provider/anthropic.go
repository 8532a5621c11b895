package provider

import (
	"bytes"
	"encoding/json"

	"gander/tool"
)

// anthropic is Anthropic's messages.
type anthropic struct{}

// What one request may hold of strict tools.
const (
	anthropicTools     = 20
	anthropicOptionals = 24
	anthropicUnions    = 16
)

// form is what strict tool use takes of JSON Schema. Optional properties stay optional.
func (anthropic) form() form {
	return form{
		keeps: "type title description enum const default properties required items anyOf additionalProperties format",
		drops: "$schema $comment examples pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum" +
			" multipleOf minItems maxItems uniqueItems minProperties maxProperties",
	}
}

// Tools marks as strict, from the first on, the tools whose schemas have a strict form, as long as a request may hold
// them; the others keep what is published.
func (p anthropic) Tools(defs []tool.Definition) []byte {
	var all size
	return array(defs, func(dst []byte, d tool.Definition) []byte {
		schema, strict := p.form().of(d.Input)
		if strict {
			sum := all.plus(sizeOf(schema))
			if strict = sum.tools <= anthropicTools && sum.optionals <= anthropicOptionals && sum.unions <= anthropicUnions; strict {
				all = sum
			} else {
				schema = d.Input
			}
		}
		dst = named(append(dst, '{'), d, "input_schema", schema)
		if strict {
			dst = append(dst, `,"strict":true`...)
		}
		return append(dst, '}')
	})
}

func (anthropic) Turn(response []byte) (turn, items []json.RawMessage, err error) {
	var r struct{ Content json.RawMessage }
	if err := json.Unmarshal(response, &r); err != nil {
		return nil, nil, unread("the response", err)
	}
	if isNull(r.Content) {
		return nil, nil, unread("the response", errNoTurn)
	}
	if err := json.Unmarshal(r.Content, &items); err != nil {
		return nil, nil, unread("the content", err)
	}
	message := append([]byte(`{"role":"assistant","content":`), r.Content...)
	return []json.RawMessage{append(message, '}')}, items, nil
}

func (anthropic) Call(item []byte) (Call, bool, error) {
	var c struct {
		Type, ID, Name string
		Input          json.RawMessage
	}
	err := json.Unmarshal(item, &c)
	switch {
	case c.Type != "" && c.Type != "tool_use":
		return Call{}, false, nil
	case err != nil:
		return Call{}, false, unread("the content block", err)
	}
	return Call{c.ID, c.Name, c.Input}, c.Type != "", nil
}

func (anthropic) Plain(_ tool.Spec, args json.RawMessage) json.RawMessage { return args }

func (anthropic) Reply(c Call, content string, failed bool) json.RawMessage {
	dst := field([]byte(`{"type":"tool_result","tool_use_id":`), c.ID)
	dst = field(append(dst, `,"content":`...), content)
	if failed {
		dst = append(dst, `,"is_error":true`...)
	}
	return append(dst, '}')
}

// Replies puts all of them into one message, as the interface wants it.
func (anthropic) Replies(replies []json.RawMessage) []json.RawMessage {
	return wrapped(`{"role":"user","content":[`, replies, "]}")
}

// wrapped joins replies to one message; no replies make none.
func wrapped(head string, replies []json.RawMessage, tail string) []json.RawMessage {
	if len(replies) == 0 {
		return nil
	}
	joined := bytes.Join(asBytes(replies), []byte(","))
	return []json.RawMessage{append(append([]byte(head), joined...), tail...)}
}

func asBytes(messages []json.RawMessage) [][]byte {
	all := make([][]byte, len(messages))
	for i, m := range messages {
		all[i] = m
	}
	return all
}
