package provider

import (
	"encoding/json"

	"gander/tool"
)

// anthropic is the Messages API of Anthropic.
type anthropic struct{}

// The most strict tools of one request, and the most optional properties and unions in their schemas.
const (
	anthropicTools     = 20
	anthropicOptionals = 24
	anthropicUnions    = 16
)

// subset is for strict tool use, where optional properties stay optional.
func (anthropic) subset() subset {
	return subset{
		allowed: "type title description enum const default properties required items anyOf additionalProperties format",
		dropped: "$schema $comment examples pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum" +
			" multipleOf minItems maxItems uniqueItems minProperties maxProperties",
	}
}

// Tools marks a tool as strict if its schema has a strict form and the request can hold one more such tool. Other tools
// keep their published schemas.
func (p anthropic) Tools(defs []tool.Definition) []byte {
	var all size
	return arrayOf(defs, func(dst []byte, d tool.Definition) []byte {
		schema, strict := p.subset().convert(d.Input)
		sum := all.plus(sizeOf(schema))
		strict = strict && sum.tools <= anthropicTools && sum.optionals <= anthropicOptionals && sum.unions <= anthropicUnions
		if strict {
			all = sum
		} else {
			schema = d.Input
		}
		dst = appendDefinition(append(dst, '{'), d, "input_schema", schema)
		if strict {
			dst = append(dst, `,"strict":true`...)
		}
		return append(dst, '}')
	})
}

func (anthropic) Turn(response []byte) (turn, items []json.RawMessage, err error) {
	var r struct{ Content json.RawMessage }
	if err := json.Unmarshal(response, &r); err != nil {
		return nil, nil, readError("the response", err)
	}
	if isNull(r.Content) {
		return nil, nil, readError("the response", errNoTurn)
	}
	if err := json.Unmarshal(r.Content, &items); err != nil {
		return nil, nil, readError("the content", err)
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
		return Call{}, false, readError("the content block", err)
	}
	return Call{c.ID, c.Name, c.Input}, c.Type != "", nil
}

func (anthropic) RestoreArgs(_ tool.Spec, args json.RawMessage) json.RawMessage { return args }

func (anthropic) Reply(c Call, content string, failed bool) json.RawMessage {
	dst := appendString([]byte(`{"type":"tool_result","tool_use_id":`), c.ID)
	dst = appendString(append(dst, `,"content":`...), content)
	if failed {
		dst = append(dst, `,"is_error":true`...)
	}
	return append(dst, '}')
}

// Replies puts all replies into one message, as the API requires.
func (anthropic) Replies(replies []json.RawMessage) []json.RawMessage {
	return wrap(`{"role":"user","content":[`, replies, "]}")
}

// wrap joins replies to one message. It returns none if there are no replies.
func wrap(head string, replies []json.RawMessage, tail string) []json.RawMessage {
	if len(replies) == 0 {
		return nil
	}
	message := []byte(head)
	for i, reply := range replies {
		if i > 0 {
			message = append(message, ',')
		}
		message = append(message, reply...)
	}
	return []json.RawMessage{append(message, tail...)}
}
