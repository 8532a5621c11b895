package provider

import (
	"encoding/json"

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

func (openai) Replies(replies []json.RawMessage) []json.RawMessage { return replies }

// chat is the Chat Completions API of OpenAI.
type chat struct{ openai }

// Tools marks a tool as strict if its schema has a strict form. Other tools keep their published schemas.
func (p chat) Tools(defs []tool.Definition) []byte {
	return arrayOf(defs, func(dst []byte, d tool.Definition) []byte {
		schema, strict := p.subset().convert(d.Input)
		dst = appendDefinition(append(dst, `{"type":"function","function":{`...), d, "parameters", schema)
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
		return nil, nil, readError("the response", err)
	}
	if len(r.Choices) == 0 || isNull(r.Choices[0].Message) {
		return nil, nil, readError("the response", errNoTurn)
	}
	var message struct {
		Calls []json.RawMessage `json:"tool_calls"`
	}
	if err := json.Unmarshal(r.Choices[0].Message, &message); err != nil {
		return nil, nil, readError("the message", err)
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
		return Call{}, false, readError("the tool call", err)
	case c.Function == nil:
		return Call{}, false, nil
	}
	return Call{c.ID, c.Function.Name, json.RawMessage(c.Function.Arguments)}, true, nil
}

func (chat) Reply(c Call, content string, _ bool) json.RawMessage {
	dst := appendString([]byte(`{"role":"tool","tool_call_id":`), c.ID)
	return append(appendString(append(dst, `,"content":`...), content), '}')
}

// responses is the Responses API of OpenAI.
type responses struct{ openai }

// Tools says of every tool whether it is strict, because this API assumes so by default.
func (p responses) Tools(defs []tool.Definition) []byte {
	return arrayOf(defs, func(dst []byte, d tool.Definition) []byte {
		schema, strict := p.subset().convert(d.Input)
		dst = appendDefinition(append(dst, `{"type":"function",`...), d, "parameters", schema)
		if strict {
			return append(dst, `,"strict":true}`...)
		}
		return append(dst, `,"strict":false}`...)
	})
}

func (responses) Turn(response []byte) (turn, items []json.RawMessage, err error) {
	var r struct{ Output []json.RawMessage }
	if err := json.Unmarshal(response, &r); err != nil {
		return nil, nil, readError("the response", err)
	}
	if r.Output == nil {
		return nil, nil, readError("the response", errNoTurn)
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
		return Call{}, false, readError("the output item", err)
	}
	return Call{c.ID, c.Name, json.RawMessage(c.Arguments)}, c.Type != "", nil
}

func (responses) Reply(c Call, content string, _ bool) json.RawMessage {
	dst := appendString([]byte(`{"type":"function_call_output","call_id":`), c.ID)
	return append(appendString(append(dst, `,"output":`...), content), '}')
}
