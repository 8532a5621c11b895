// Package shared implements the mechanisms that the built-in tools share: decoding arguments,
// converting file errors to tool errors, cutting a result to its budget, writing trees as JSON, and
// suggesting similar names.
//
// Each package of tools contains the tools of one author, with their names, arguments, messages and
// output format. These packages do not depend on each other, and decide nothing about confinement.
package shared

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"gander/internal/files/lines"
	"gander/internal/files/workspace"
	"gander/tool"
)

// A Definition is the spec of a tool with additional data for the frontends.
type Definition struct {
	tool.Spec
	// Hint is a clause for the instructions of an MCP server: the purpose of the tool, and how to
	// get more. If empty, the instructions omit the tool.
	Hint string
	// SetHint is the part of the instructions that applies to all tools of the set, in complete
	// sentences.
	SetHint string
	// MCP is set for a tool of another program's MCP server.
	MCP *MCP
}

// An MCP holds the published data of a tool of another program's MCP server.
type MCP struct {
	Server, Version string // of the other program
	// UnknownTool is the format string of its message about an unknown tool.
	UnknownTool string
	// Started is the line that it writes to standard error when it is ready for a client.
	Started string
	// Annotations describe the effects of the tool.
	Annotations json.RawMessage
	// ContentOutput reports whether Output describes an object with the single key content. Its
	// value is the text of the first part of the result, or a list with the content block of that
	// part if it is not text.
	ContentOutput bool
}

// Define returns the definition of a tool. Tools of the embedding program have only a spec.
func Define(t tool.Tool) Definition {
	if d, ok := t.(interface{ Definition() Definition }); ok {
		return d.Definition()
	}
	return Definition{Spec: t.Spec()}
}

// A Defined is embedded in a tool to implement its Spec and Definition methods.
type Defined struct {
	Published Definition
	messages  Messages
}

// Spec implements [tool.Tool].
func (d *Defined) Spec() tool.Spec { return d.Published.Spec }

// Definition returns the published definition.
func (d *Defined) Definition() Definition { return d.Published }

// Arguments decodes the arguments of a call.
func (d *Defined) Arguments(raw json.RawMessage) *Arguments {
	return DecodeArguments(raw, d.messages)
}

// Definitions decodes the embedded definitions of a set of tools, which have the form of MCP's list
// of tools, with hints and the messages about arguments. In these, "{tool}" is the name of a tool.
// MCP is set for tools with annotations. It panics if data is invalid.
func Definitions(set string, data []byte) []Defined {
	var list struct {
		SetHint  string
		Messages Messages
		MCP      MCP
		Tools    []struct {
			Name, Title, Description, Hint         string
			InputSchema, OutputSchema, Annotations json.RawMessage
		}
	}
	var compact bytes.Buffer
	err := json.Compact(&compact, data)
	if err == nil {
		err = json.Unmarshal(compact.Bytes(), &list)
	}
	if err != nil {
		panic(fmt.Sprintf("%s: the embedded definitions: %v", set, err))
	}
	all := make([]Defined, len(list.Tools))
	for i, p := range list.Tools {
		d := Definition{Hint: p.Hint, SetHint: list.SetHint, Spec: tool.Spec{
			ID: set + "/" + p.Name, Name: p.Name, Title: p.Title, Description: p.Description,
			Input: p.InputSchema, Output: p.OutputSchema, ReadOnly: true, Risk: "Low",
		}}
		if p.Annotations != nil {
			d.MCP = new(list.MCP)
			d.MCP.Annotations = p.Annotations
		}
		all[i] = Defined{d, list.Messages}
		all[i].messages.Prefix = strings.ReplaceAll(list.Messages.Prefix, "{tool}", p.Name)
	}
	return all
}

// ReadIndexed returns the result of read, which gets the cached index of the lines of a file. If
// the file has changed since the index was made, ReadIndexed calls read again with an empty index.
func ReadIndexed[T any](
	cached workspace.CacheEntry, read func(*lines.Index) (T, error),
) (T, error) {
	index, known := cached.Value().(*lines.Index)
	if !known {
		index = lines.NewIndex()
	}
	result, err := read(index)
	switch {
	case known && !cached.Valid():
		return read(lines.NewIndex())
	case !known && !index.Empty():
		cached.Store(index, lines.MaxIndexBytes)
	}
	return result, err
}
