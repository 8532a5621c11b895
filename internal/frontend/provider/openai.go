package provider

import (
	"encoding/json"
	"fmt"
	"strings"

	"gander/tool"
)

// openai is what both APIs of OpenAI share.
type openai struct{}

// subset is for "strict", as in structured outputs: every property is required, and an optional one is null if absent.
// Defaults move to descriptions, because some hosts of the API refuse the keyword.
func (openai) subset() subset {
	return subset{
		nullable: true,
		allowed: "type title description enum const properties required items anyOf additionalProperties pattern format" +
			" minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems",
		dropped: "$schema $comment default examples minLength maxLength uniqueItems minProperties maxProperties",
	}
}

func (p openai) RestoreArgs(s tool.Spec, args json.RawMessage) json.RawMessage {
	return p.subset().restore(s.Input, args)
}

// chat is the Chat Completions API of OpenAI.
type chat struct{ openai }

// Tools marks a tool as strict if its schema has a strict form. Other tools keep their published schemas.
func (p chat) Tools(defs []tool.Definition) []byte {
	return arrayOf(defs, func(d tool.Definition) string {
		schema, _, strict := p.subset().convert(d.Input)
		return fmt.Sprintf(`{"type":"function","function":{%s,"parameters":%s%s}}`, named(d), schema, when(strict, `,"strict":true`))
	})
}

func (chat) Turn(response []byte) (turn, items []json.RawMessage, err error) {
	message, items, err := split(response, []string{"choices", "message"}, "tool_calls")
	return []json.RawMessage{message}, items, err
}

func (chat) Call(item []byte) (Call, bool, error) {
	var c struct {
		ID       string
		Function *struct{ Name, Arguments string }
	}
	ok, err := readItem(item, &c, "function", "")
	if !ok || c.Function == nil {
		return Call{}, false, err
	}
	return Call{c.ID, c.Function.Name, json.RawMessage(c.Function.Arguments)}, true, nil
}

func (chat) Reply(a Answer) json.RawMessage {
	return fmt.Appendf(nil, `{"role":"tool","tool_call_id":%s,"content":%s}`, quote(a.ID), quote(a.text()))
}

// Replies puts images into a message of the user after the replies, because a message of a tool takes only text.
func (p chat) Replies(answers []Answer) []json.RawMessage {
	var replies []json.RawMessage
	var images []string
	for _, a := range answers {
		replies = append(replies, p.Reply(a))
		for _, part := range a.Parts {
			if part.Type == tool.ImagePart {
				images = append(images, `{"type":"text","text":`+quote("The image that "+a.Name+" ("+a.ID+") has returned:")+`}`, `{"type":"image_url","image_url":{"url":`+dataURL(part)+`}}`)
			}
		}
	}
	if len(images) > 0 {
		replies = append(replies, json.RawMessage(`{"role":"user","content":[`+strings.Join(images, ",")+"]}"))
	}
	return replies
}

// responses is the Responses API of OpenAI.
type responses struct{ openai }

// Tools says of every tool whether it is strict, because this API assumes so by default.
func (p responses) Tools(defs []tool.Definition) []byte {
	return arrayOf(defs, func(d tool.Definition) string {
		schema, _, strict := p.subset().convert(d.Input)
		return fmt.Sprintf(`{"type":"function",%s,"parameters":%s,"strict":%t}`, named(d), schema, strict)
	})
}

func (responses) Turn(response []byte) (turn, items []json.RawMessage, err error) {
	_, items, err = split(response, []string{"output"}, "")
	return items, items, err
}

func (responses) Call(item []byte) (Call, bool, error) {
	var c struct {
		ID              string `json:"call_id"`
		Name, Arguments string
	}
	ok, err := readItem(item, &c, "function_call")
	return Call{c.ID, c.Name, json.RawMessage(c.Arguments)}, ok, err
}

func (responses) Reply(a Answer) json.RawMessage {
	output := quote(a.text())
	if a.hasImage() {
		output = "[" + a.blocks(
			func(p tool.Part) string { return `{"type":"input_text","text":` + quote(p.Text) + `}` },
			func(p tool.Part) string { return `{"type":"input_image","image_url":` + dataURL(p) + `}` }) + "]"
	}
	return fmt.Appendf(nil, `{"type":"function_call_output","call_id":%s,"output":%s}`, quote(a.ID), output)
}

func (p responses) Replies(answers []Answer) []json.RawMessage {
	var replies []json.RawMessage
	for _, a := range answers {
		replies = append(replies, p.Reply(a))
	}
	return replies
}
