package provider

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

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
	functions := arrayOf(defs, func(d tool.Definition) string {
		schema, _, _ := p.subset().convert(d.Input)
		return fmt.Sprintf(`{%s,"parametersJsonSchema":%s}`, named(d), schema)
	})
	return fmt.Appendf(nil, `[{"functionDeclarations":%s}]`, functions)
}

func (gemini) Turn(response []byte) (turn, items []json.RawMessage, err error) {
	content, items, err := split(response, []string{"candidates", "content"}, "parts")
	return []json.RawMessage{content}, items, err
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
	return Call(*part.Call), true, nil
}

func (gemini) RestoreArgs(_ tool.Spec, args json.RawMessage) json.RawMessage { return args }

// Reply repeats the name of the call, because a call may have no id. Images are parts beside the response.
func (gemini) Reply(a Answer) json.RawMessage {
	outcome := "output"
	if a.Failed {
		outcome = "error"
	}
	var images []string
	for i, p := range a.Parts {
		switch {
		case p.Type == tool.ImagePart && p.MIMEType == "image/gif":
			a.Parts = slices.Clone(a.Parts)
			a.Parts[i] = leftOut(p, "the API takes no GIF")
		case p.Type == tool.ImagePart:
			images = append(images, fmt.Sprintf(`{"inlineData":{"mimeType":%s,"data":%q}}`, quote(p.MIMEType), base64.StdEncoding.EncodeToString(p.Data)))
		}
	}
	return fmt.Appendf(nil, `{"functionResponse":{%s"name":%s,"response":{%q:%s}%s}}`,
		when(a.ID != "", `"id":`+quote(a.ID)+","), quote(a.Name), outcome, quote(a.text()),
		when(len(images) > 0, `,"parts":[`+strings.Join(images, ",")+"]"))
}

// Replies puts all replies into one message, as the API requires.
func (p gemini) Replies(answers []Answer) []json.RawMessage {
	return message(`{"role":"user","parts":[`, answers, p.Reply, "]}")
}
