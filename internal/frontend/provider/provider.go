// Package provider converts between tools and the APIs of model providers: it writes definitions of tools, reads calls and
// writes replies. It also writes definitions for MCP. It knows no tool, makes no call and sends nothing.
package provider

import (
	"encoding/json"
	"errors"
	"fmt"

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
	Reply(c Call, content string, failed bool) json.RawMessage
	// Replies returns what to append to the conversation for the replies to all calls of a response.
	Replies(replies []json.RawMessage) []json.RawMessage
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

var errNoTurn = errors.New("it holds no turn of a model")

func isNull(value json.RawMessage) bool { return len(value) == 0 || string(value) == "null" }

// readError returns the error about a response or an item that differs from what the provider documents.
func readError(what string, err error) error {
	return fmt.Errorf("cannot read %s: %w", what, err)
}

// arrayOf returns a JSON array with an element for each definition.
func arrayOf(defs []tool.Definition, element func([]byte, tool.Definition) []byte) []byte {
	dst := []byte("[")
	for i, d := range defs {
		if i > 0 {
			dst = append(dst, ",\n"...)
		}
		dst = element(dst, d)
	}
	return append(dst, ']')
}

// appendDefinition appends the name, the description, and the schema under the key that the API has for it.
func appendDefinition(dst []byte, d tool.Definition, key string, schema json.RawMessage) []byte {
	dst = appendString(append(dst, `"name":`...), d.Name)
	dst = appendString(append(dst, `,"description":`...), d.Description)
	dst = append(appendString(append(dst, ','), key), ':')
	return append(dst, schema...)
}

// appendString appends s as a JSON string, with U+FFFD for bytes that are not UTF-8.
func appendString(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s) // the error only reports such bytes
	return dst
}
