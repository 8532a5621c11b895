// Package provider knows how the interfaces of model providers take definitions of tools, ask for calls and are answered,
// and how MCP takes definitions. It knows no tool, makes no call and sends nothing anywhere.
package provider

import (
	"encoding/json"
	"errors"
	"fmt"

	"gander/internal/engine/text"
	"gander/tool"
)

// A Call is a call of a tool as a model asks for it.
type Call struct {
	// ID is what the reply refers to; "" where the provider gives none.
	ID string
	// Name is that of a definition, if the model keeps to what it was told.
	Name string
	// Args are the arguments as the model wrote them.
	Args json.RawMessage
}

// A Provider is one interface.
type Provider interface {
	// Tools writes definitions as the "tools" of a request take them, each on a line of its own.
	Tools(defs []tool.Definition) []byte
	// Turn reads a response: what to append to the conversation for it, and those items of it that may be calls.
	Turn(response []byte) (turn, items []json.RawMessage, err error)
	// Call reads an item; ok is false where it is no call of a tool.
	Call(item []byte) (c Call, ok bool, err error)
	// Plain returns a call's arguments as the tool's published schema wants them, where Tools wrote another.
	Plain(s tool.Spec, args json.RawMessage) json.RawMessage
	// Reply writes the answer to a call.
	Reply(c Call, content string, failed bool) json.RawMessage
	// Replies returns what to append to the conversation for the answers to all calls of a response.
	Replies(replies []json.RawMessage) []json.RawMessage
}

// New returns the provider of that name, nil where there is none.
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

// Names returns the names of all providers, in the order of the alphabet.
func Names() []string { return []string{"anthropic", "gemini", "openai", "openai-responses"} }

var errNoTurn = errors.New("it holds no turn of a model")

func isNull(value json.RawMessage) bool { return len(value) == 0 || string(value) == "null" }

// unread is the error where a response or an item is not what the provider documents.
func unread(what string, err error) error {
	return fmt.Errorf("cannot read %s: %w", what, err)
}

// array writes definitions as a JSON array.
func array(defs []tool.Definition, element func([]byte, tool.Definition) []byte) []byte {
	dst := []byte("[")
	for i, d := range defs {
		if i > 0 {
			dst = append(dst, ",\n"...)
		}
		dst = element(dst, d)
	}
	return append(dst, ']')
}

// named appends name, description, and the schema under the key that the interface has for it.
func named(dst []byte, d tool.Definition, key string, schema json.RawMessage) []byte {
	dst = field(append(dst, `"name":`...), d.Name)
	dst = field(append(dst, `,"description":`...), d.Description)
	dst = append(field(append(dst, ','), key), ':')
	return append(dst, schema...)
}

// field appends a string as JSON.
func field(dst []byte, s string) []byte { return text.AppendQuote(dst, text.Lossy([]byte(s))) }
