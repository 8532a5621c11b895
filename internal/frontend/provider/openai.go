package provider

import (
	"encoding/json"

	"gander/tool"
)

// openai is what both interfaces of OpenAI share.
type openai struct{}

// form is what "strict" takes of JSON Schema, as structured outputs do: every property required, optional ones with null
// for absent. Defaults become words: some hosts of the interface refuse the keyword.
func (openai) form() form {
	return form{
		nulls: true,
		keeps: "type title description enum const properties required items anyOf additionalProperties pattern format" +
			" minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems",
		drops: "$schema $comment default examples minLength maxLength uniqueItems minProperties maxProperties",
	}
}

func (p openai) Plain(s tool.Spec, args json.RawMessage) json.RawMessage {
	return p.form().plain(s.Input, args)
}

func (openai) Replies(replies []json.RawMessage) []json.RawMessage { return replies }

// chat is OpenAI's chat completions.
type chat struct{ openai }

// Tools marks the tools as strict whose schemas have a strict form; the others keep what is published.
func (p chat) Tools(defs []tool.Definition) []byte {
	return array(defs, func(dst []byte, d tool.Definition) []byte {
		schema, strict := p.form().of(d.Input)
		dst = named(append(dst, `{"type":"function","function":{`...), d, "parameters", schema)
		if strict {
			dst = append(dst, `,"strict":true`...)
		}
		return append(dst, "}}"...)
	})
}

func (chat) Turn(response []byte) (turn, items []json.RawMessage, err error) {
	var r struct {
		Choices []struct{ Message json.RawMessage }
	}
	if err := json.Unmarshal(response, &r); err != nil {
		return nil, nil, unread("the response", err)
	}
	if len(r.Choices) == 0 || isNull(r.Choices[0].Message) {
		return nil, nil, unread("the response", errNoTurn)
	}
	var message struct {
		Calls []json.RawMessage `json:"tool_calls"`
	}
	if err := json.Unmarshal(r.Choices[0].Message, &message); err != nil {
		return nil, nil, unread("the message", err)
	}
	return []json.RawMessage{r.Choices[0].Message}, message.Calls, nil
}

func (chat) Call(item []byte) (Call, bool, error) {
	var c struct {
		ID, Type string
		Function *struct{ Name, Arguments string }
	}
	err := json.Unmarshal(item, &c)
	switch {
	case c.Type != "" && c.Type != "function":
		return Call{}, false, nil
	case err != nil:
		return Call{}, false, unread("the tool call", err)
	case c.Function == nil:
		return Call{}, false, nil
	}
	return Call{c.ID, c.Function.Name, json.RawMessage(c.Function.Arguments)}, true, nil
}

func (chat) Reply(c Call, content string, _ bool) json.RawMessage {
	dst := field([]byte(`{"role":"tool","tool_call_id":`), c.ID)
	return append(field(append(dst, `,"content":`...), content), '}')
}

// responses is OpenAI's responses.
type responses struct{ openai }

// Tools says of every tool whether it is strict, since strict is what this interface otherwise makes of it.
func (p responses) Tools(defs []tool.Definition) []byte {
	return array(defs, func(dst []byte, d tool.Definition) []byte {
		schema, strict := p.form().of(d.Input)
		dst = named(append(dst, `{"type":"function",`...), d, "parameters", schema)
		if strict {
			return append(dst, `,"strict":true}`...)
		}
		return append(dst, `,"strict":false}`...)
	})
}

func (responses) Turn(response []byte) (turn, items []json.RawMessage, err error) {
	var r struct{ Output []json.RawMessage }
	if err := json.Unmarshal(response, &r); err != nil {
		return nil, nil, unread("the response", err)
	}
	if r.Output == nil {
		return nil, nil, unread("the response", errNoTurn)
	}
	return r.Output, r.Output, nil
}

func (responses) Call(item []byte) (Call, bool, error) {
	var c struct {
		Type            string
		ID              string `json:"call_id"`
		Name, Arguments string
	}
	err := json.Unmarshal(item, &c)
	switch {
	case c.Type != "" && c.Type != "function_call":
		return Call{}, false, nil
	case err != nil:
		return Call{}, false, unread("the output item", err)
	}
	return Call{c.ID, c.Name, json.RawMessage(c.Arguments)}, c.Type != "", nil
}

func (responses) Reply(c Call, content string, _ bool) json.RawMessage {
	dst := field([]byte(`{"type":"function_call_output","call_id":`), c.ID)
	return append(field(append(dst, `,"output":`...), content), '}')
}
