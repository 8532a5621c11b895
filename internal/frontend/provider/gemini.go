package provider

import (
	"encoding/json"

	"gander/tool"
)

// gemini is the generateContent method of the Gemini API.
type gemini struct{}

// subset is what Gemini's models take into account. Tools are not marked as strict: the mode VALIDATED of a request's
// functionCallingConfig makes the model keep to the schemas.
func (gemini) subset() subset {
	return subset{
		allowed: "type title description enum default properties required items anyOf additionalProperties format" +
			" minimum maximum minItems maxItems minLength maxLength pattern",
		dropped: "$schema $comment const examples exclusiveMinimum exclusiveMaximum multipleOf uniqueItems minProperties maxProperties",
	}
}

// Tools writes one tool that declares all functions. It puts their schemas under parametersJsonSchema, which takes JSON
// Schema; parameters takes a kind of schema of Gemini's own.
func (p gemini) Tools(defs []tool.Definition) []byte {
	functions := arrayOf(defs, func(dst []byte, d tool.Definition) []byte {
		schema, _ := p.subset().convert(d.Input)
		return append(appendDefinition(append(dst, '{'), d, "parametersJsonSchema", schema), '}')
	})
	return append(append([]byte(`[{"functionDeclarations":`), functions...), "}]"...)
}

func (gemini) Turn(response []byte) (turn, items []json.RawMessage, err error) {
	var r struct {
		Candidates []struct{ Content json.RawMessage }
	}
	if err := json.Unmarshal(response, &r); err != nil {
		return nil, nil, readError("the response", err)
	}
	if len(r.Candidates) == 0 || isNull(r.Candidates[0].Content) {
		return nil, nil, readError("the response", errNoTurn)
	}
	var content struct{ Parts []json.RawMessage }
	if err := json.Unmarshal(r.Candidates[0].Content, &content); err != nil {
		return nil, nil, readError("the content", err)
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
		return Call{}, false, readError("the part", err)
	}
	if part.Call == nil {
		return Call{}, false, nil
	}
	return Call{part.Call.ID, part.Call.Name, part.Call.Args}, true, nil
}

func (gemini) RestoreArgs(_ tool.Spec, args json.RawMessage) json.RawMessage { return args }

// Reply repeats the name of the call, because a call may have no id.
func (gemini) Reply(c Call, content string, failed bool) json.RawMessage {
	dst := []byte(`{"functionResponse":{`)
	if c.ID != "" {
		dst = append(appendString(append(dst, `"id":`...), c.ID), ',')
	}
	dst = appendString(append(dst, `"name":`...), c.Name)
	key := `,"response":{"output":`
	if failed {
		key = `,"response":{"error":`
	}
	return append(appendString(append(dst, key...), content), "}}}"...)
}

// Replies puts all replies into one message, as the API requires.
func (gemini) Replies(replies []json.RawMessage) []json.RawMessage {
	return wrap(`{"role":"user","parts":[`, replies, "]}")
}
