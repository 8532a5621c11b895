package provider

import (
	"encoding/base64"
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

// anthropicImage is the most bytes that an image has in base64. The API refuses the whole request if one has more.
const anthropicImage = 5 << 20

// subset is for strict tool use, where optional properties stay optional.
func (anthropic) subset() subset {
	return subset{
		allowed: "type title description enum const default properties required items anyOf additionalProperties format",
		dropped: "$schema $comment examples pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum" +
			" multipleOf minItems maxItems uniqueItems minProperties maxProperties",
	}
}

// nullable is the same with required properties that may be null in place of optional ones.
func (p anthropic) nullable() subset {
	s := p.subset()
	s.nullable = true
	return s
}

// Tools marks a tool as strict if its schema has a strict form and the request can hold one more such tool. Other tools
// keep their published schemas.
func (p anthropic) Tools(defs []tool.Definition) []byte {
	var all size
	return arrayOf(defs, func(d tool.Definition) string {
		schema, n, strict := p.subset().convert(d.Input)
		sum := all.plus(n)
		if sum.optionals > anthropicOptionals { // Properties that may be null are unions instead, of which there may be more.
			schema, n, strict = p.nullable().convert(d.Input)
			sum = all.plus(n)
		}
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

func (p anthropic) RestoreArgs(s tool.Spec, args json.RawMessage) json.RawMessage {
	return p.nullable().restore(s.Input, args)
}

func (anthropic) Reply(a Answer) json.RawMessage {
	content := quote(a.text())
	if a.hasImage() {
		text := func(p tool.Part) string { return `{"type":"text","text":` + quote(p.Text) + `}` }
		content = "[" + a.blocks(text, func(p tool.Part) string {
			if base64.StdEncoding.EncodedLen(len(p.Data)) > anthropicImage {
				return text(leftOut(p, fmt.Sprintf("the API takes images of up to %d bytes", base64.StdEncoding.DecodedLen(anthropicImage))))
			}
			return fmt.Sprintf(`{"type":"image","source":{"type":"base64","media_type":%s,"data":%q}}`, quote(p.MIMEType), base64.StdEncoding.EncodeToString(p.Data))
		}) + "]"
	}
	return fmt.Appendf(nil, `{"type":"tool_result","tool_use_id":%s,"content":%s%s}`, quote(a.ID), content, when(a.Failed, `,"is_error":true`))
}

// Replies puts all replies into one message, as the API requires.
func (p anthropic) Replies(answers []Answer) []json.RawMessage {
	return message(`{"role":"user","content":[`, answers, p.Reply, "]}")
}
