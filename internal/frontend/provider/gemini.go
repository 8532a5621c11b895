package provider

import (
	"encoding/json"

	"gander/tool"
)

// gemini is Gemini's generateContent.
type gemini struct{}

// form is what of JSON Schema Gemini's models heed. There is no mark for strict: the mode VALIDATED of a request's
// functionCallingConfig holds a model to the schemas.
func (gemini) form() form {
	return form{
		keeps: "type title description enum default properties required items anyOf additionalProperties format" +
			" minimum maximum minItems maxItems minLength maxLength pattern",
		drops: "$schema $comment const examples exclusiveMinimum exclusiveMaximum multipleOf uniqueItems minProperties maxProperties",
	}
}

// Tools writes one tool with all functions. The schemas go where Gemini takes JSON Schema, rather than its own dialect of
// it.
func (p gemini) Tools(defs []tool.Definition) []byte {
	functions := array(defs, func(dst []byte, d tool.Definition) []byte {
		schema, _ := p.form().of(d.Input)
		return append(named(append(dst, '{'), d, "parametersJsonSchema", schema), '}')
	})
	return append(append([]byte(`[{"functionDeclarations":`), functions...), "}]"...)
}

func (gemini) Turn(response []byte) (turn, items []json.RawMessage, err error) {
	var r struct {
		Candidates []struct{ Content json.RawMessage }
	}
	if err := json.Unmarshal(response, &r); err != nil {
		return nil, nil, unread("the response", err)
	}
	if len(r.Candidates) == 0 || isNull(r.Candidates[0].Content) {
		return nil, nil, unread("the response", errNoTurn)
	}
	var content struct{ Parts []json.RawMessage }
	if err := json.Unmarshal(r.Candidates[0].Content, &content); err != nil {
		return nil, nil, unread("the content", err)
	}
	return []json.RawMessage{r.Candidates[0].Content}, content.Parts, nil
}

func (gemini) Call(item []byte) (Call, bool, error) {
	var part struct {
		Call *struct {
			ID, Name string
			Args     json.RawMessage
		} `json:"functionCall"`
	}
	if err := json.Unmarshal(item, &part); err != nil {
		return Call{}, false, unread("the part", err)
	}
	if part.Call == nil {
		return Call{}, false, nil
	}
	return Call{part.Call.ID, part.Call.Name, part.Call.Args}, true, nil
}

func (gemini) Plain(_ tool.Spec, args json.RawMessage) json.RawMessage { return args }

// Reply repeats the name, since an id is not always given.
func (gemini) Reply(c Call, content string, failed bool) json.RawMessage {
	dst := []byte(`{"functionResponse":{`)
	if c.ID != "" {
		dst = append(field(append(dst, `"id":`...), c.ID), ',')
	}
	dst = field(append(dst, `"name":`...), c.Name)
	key := `,"response":{"output":`
	if failed {
		key = `,"response":{"error":`
	}
	return append(field(append(dst, key...), content), "}}}"...)
}

// Replies puts all of them into one message, as the interface wants it.
func (gemini) Replies(replies []json.RawMessage) []json.RawMessage {
	return wrapped(`{"role":"user","parts":[`, replies, "]}")
}
