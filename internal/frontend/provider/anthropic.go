package provider

import (
	"encoding/json"
	"fmt"

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
	return arrayOf(defs, func(d tool.Definition) string {
		schema, n, strict := p.subset().convert(d.Input)
		sum := size{all.tools + n.tools, all.optionals + n.optionals, all.unions + n.unions}
		strict = strict && sum.tools <= anthropicTools && sum.optionals <= anthropicOptionals && sum.unions <= anthropicUnions
		if strict {
			all = sum
		} else {
			schema = d.Input
		}
		return fmt.Sprintf(`{%s,"input_schema":%s%s}`, named(d), schema, when(strict, `,"strict":true`))
	})
}

func (anthropic) Turn(response []byte) (turn, items []json.RawMessage, err error) {
	content, items, err := split(response, []string{"content"}, "")
	return []json.RawMessage{fmt.Appendf(nil, `{"role":"assistant","content":%s}`, content)}, items, err
}

func (anthropic) Call(item []byte) (Call, bool, error) {
	var c struct {
		ID, Name string
		Input    json.RawMessage
	}
	ok, err := readItem(item, &c, "tool_use")
	return Call{c.ID, c.Name, c.Input}, ok, err
}

func (anthropic) RestoreArgs(_ tool.Spec, args json.RawMessage) json.RawMessage { return args }

func (anthropic) Reply(c Call, content string, failed bool) json.RawMessage {
	return fmt.Appendf(nil, `{"type":"tool_result","tool_use_id":%s,"content":%s%s}`, quote(c.ID), quote(content), when(failed, `,"is_error":true`))
}

// Replies puts all replies into one message, as the API requires.
func (anthropic) Replies(replies []json.RawMessage) []json.RawMessage {
	return message(`{"role":"user","content":[`, replies, "]}")
}
