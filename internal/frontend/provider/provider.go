// Package provider converts between tools and the APIs of model providers: it writes definitions of tools, reads calls and
// writes replies. It also writes definitions for MCP. It knows no tool, makes no call and sends nothing.
package provider

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"gander/tool"
)

// A Call is a call of a tool as a model asks for it.
type Call struct {
	// ID identifies the call in the reply. It is empty if the provider gives none.
	ID string
	// Name is the name of a tool. There may be no such tool.
	Name string
	// Args are the arguments as the model wrote them.
	Args json.RawMessage
}

// An Answer is what a call has returned.
type Answer struct {
	Call
	Parts  []tool.Part
	Failed bool
}

// text returns the answer for an API that takes only text.
func (a Answer) text() string { return tool.Result{Parts: a.Parts}.Text() }

// blocks returns the parts as the elements of an array: an image by a function of the API, and everything else as text.
func (a Answer) blocks(text, image func(tool.Part) string) string {
	blocks := make([]string, len(a.Parts))
	for i, p := range a.Parts {
		if p.Type == tool.ImagePart {
			blocks[i] = image(p)
		} else {
			blocks[i] = text(tool.Part{Type: tool.TextPart, Text: tool.Result{Parts: []tool.Part{p}}.Text()})
		}
	}
	return strings.Join(blocks, ",")
}

// hasImage reports whether the answer has an image.
func (a Answer) hasImage() bool {
	return slices.ContainsFunc(a.Parts, func(p tool.Part) bool { return p.Type == tool.ImagePart })
}

// leftOut returns the text in place of an image that the API does not take.
func leftOut(image tool.Part, because string) tool.Part {
	return tool.Text(tool.Result{Parts: []tool.Part{image}}.Text() + " was left out, because " + because)[0]
}

// dataURL returns the URL of an image that holds the image.
func dataURL(p tool.Part) string {
	return quote("data:" + p.MIMEType + ";base64," + base64.StdEncoding.EncodeToString(p.Data))
}

// A Provider is the API of a model provider.
type Provider interface {
	// Tools returns the value of "tools" in a request, with each definition on a line of its own.
	Tools(defs []tool.Definition) []byte
	// Turn reads the model's turn from a response. It returns what to append to the conversation for it, and its items,
	// some of which may be calls.
	Turn(response []byte) (turn, items []json.RawMessage, err error)
	// Call reads an item. It reports false for ok if the item is not a call of a tool.
	Call(item []byte) (c Call, ok bool, err error)
	// RestoreArgs returns arguments for the published schema of s, given arguments for the schema that Tools wrote.
	RestoreArgs(s tool.Spec, args json.RawMessage) json.RawMessage
	// Reply returns the reply to a call.
	Reply(a Answer) json.RawMessage
	// Replies returns what to append to the conversation for the answers to all calls of a response. It holds the images of
	// an API that takes none in a reply.
	Replies(answers []Answer) []json.RawMessage
}

// New returns the provider of that name, or nil if there is none.
func New(name string) Provider {
	switch name {
	case "openai":
		return chat{}
	case "openai-responses":
		return responses{}
	case "anthropic":
		return anthropic{}
	case "gemini":
		return gemini{}
	default:
		return nil
	}
}

// Names returns the names of all providers in alphabetical order.
func Names() []string { return []string{"anthropic", "gemini", "openai", "openai-responses"} }

// split returns the model's turn, which is under a path of keys in a response, and the items under a key of the turn, or
// the turn's own elements if key is empty. Of an array on the path it takes the first element.
func split(response json.RawMessage, path []string, key string) (turn json.RawMessage, items []json.RawMessage, err error) {
	turn = response
	for _, key := range path {
		var array []json.RawMessage
		if json.Unmarshal(turn, &array) == nil && len(array) > 0 {
			turn = array[0]
		}
		if turn, err = member(turn, key); err != nil {
			return nil, nil, readError("the response", err)
		}
		if len(turn) == 0 || string(turn) == "null" {
			return nil, nil, readError("the response", errors.New("it holds no turn of a model"))
		}
	}
	array := turn
	if key != "" {
		array, err = member(turn, key)
	}
	if err == nil && len(array) > 0 {
		err = json.Unmarshal(array, &items)
	}
	if err != nil {
		return nil, nil, readError("the turn of the model", err)
	}
	return turn, items, nil
}

// member returns the value of a key of a JSON object, or nil if there is no such key.
func member(object json.RawMessage, key string) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	err := json.Unmarshal(object, &members)
	return members[key], err
}

// readItem reads an item into the value to which call points. It reports false if the item is not of one of the types.
func readItem(item []byte, call any, types ...string) (ok bool, err error) {
	var typed struct{ Type string }
	if err = json.Unmarshal(item, &typed); err == nil {
		if !slices.Contains(types, typed.Type) {
			return false, nil
		}
		err = json.Unmarshal(item, call)
	}
	if err != nil {
		return false, readError("the item", err)
	}
	return true, nil
}

// readError returns the error about a response or an item that differs from what the provider documents.
func readError(what string, err error) error {
	return fmt.Errorf("cannot read %s: %w", what, err)
}

// message returns a message that holds the replies to all answers, or none if there are no answers.
func message(head string, answers []Answer, reply func(Answer) json.RawMessage, tail string) []json.RawMessage {
	if len(answers) == 0 {
		return nil
	}
	parts := make([]string, len(answers))
	for i, a := range answers {
		parts[i] = string(reply(a))
	}
	return []json.RawMessage{json.RawMessage(head + strings.Join(parts, ",") + tail)}
}

// arrayOf returns a JSON array with an element for each definition.
func arrayOf(defs []tool.Definition, element func(tool.Definition) string) []byte {
	elements := make([]string, len(defs))
	for i, d := range defs {
		elements[i] = element(d)
	}
	return []byte("[" + strings.Join(elements, ",\n") + "]")
}

// named returns the members of a JSON object that hold the name and the description of a tool.
func named(d tool.Definition) string {
	return `"name":` + quote(d.Name) + `,"description":` + quote(d.Description)
}

// when returns members of a JSON object that are there under a condition.
func when(condition bool, members string) string {
	if condition {
		return members
	}
	return ""
}

// quote returns s as a JSON string, with U+FFFD for bytes that are not UTF-8.
func quote(s string) string {
	quoted, _ := jsontext.AppendQuote(nil, s) // the error only reports such bytes
	return string(quoted)
}

// MCP returns the "tools" of a tools/list result, with every input schema byte for byte as published. It leaves out most
// output schemas, because a client that sees one requires the content a second time, as structured content.
func MCP(defs []tool.Definition) []byte {
	return arrayOf(defs, func(d tool.Definition) string {
		title := `"title":` + quote(d.Title) + ","
		if d.Title == "" {
			title = ""
		}
		if d.ContentOutput && len(d.Annotations) > 0 { // an answer always has the content that the output schema describes
			return fmt.Sprintf(`{"name":%s,%s"description":%s,"inputSchema":%s,"annotations":%s,"outputSchema":%s}`, quote(d.Name), title, quote(d.Description), d.Input, d.Annotations, d.Output)
		}
		return fmt.Sprintf(`{"name":%s,%s"description":%s,"inputSchema":%s,"annotations":{%s"readOnlyHint":%t,"destructiveHint":%t,"idempotentHint":%t,"openWorldHint":%t},"_meta":{"anthropic/alwaysLoad":true,"anthropic/maxResultSizeChars":500000}}`,
			quote(d.Name), title, quote(d.Description), d.Input, title, !d.SideEffects, d.SideEffects, !d.SideEffects, d.SideEffects)
	})
}
