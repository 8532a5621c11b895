// Package definition describes tools and sets of tools to the frontends: published names, schemas
// and descriptions, which are embedded as JSON, and the constructors of the tools.
package definition

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"gander/internal/tools/arguments"
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
	Server, Version string // what the other program calls itself
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

// Of returns the definition of a tool. Tools of the embedding program have only a spec.
func Of(t tool.Tool) Definition {
	if d, ok := t.(interface{ Definition() Definition }); ok {
		return d.Definition()
	}
	return Definition{Spec: t.Spec()}
}

// A Defined is embedded in a tool to implement its Spec and Definition methods.
type Defined struct {
	Published Definition
	messages  arguments.Messages
}

// Spec implements [tool.Tool].
func (d *Defined) Spec() tool.Spec { return d.Published.Spec }

// Definition returns the published definition.
func (d *Defined) Definition() Definition { return d.Published }

// Arguments decodes the arguments of a call.
func (d *Defined) Arguments(raw json.RawMessage) *arguments.Arguments {
	return arguments.Decode(raw, d.messages)
}

// Definitions are the definitions of a set of tools.
type Definitions []Defined

// Tool returns the definition of the tool with the given name. It panics if there is none.
func (d Definitions) Tool(name string) Defined {
	for _, one := range d {
		if one.Published.Name == name {
			return one
		}
	}
	panic("no definition of a tool has the name " + name)
}

// Decode decodes the embedded definitions of a set of tools, which have the form of MCP's list
// of tools, with hints and the messages about arguments. In these, "{tool}" is the name of a tool.
// MCP is set for tools with annotations. It panics if data is invalid.
func Decode(set string, data []byte) Definitions {
	var published struct {
		SetHint  string
		Messages arguments.Messages
		MCP      MCP
		Tools    []struct {
			Name, Title, Description, Hint         string
			InputSchema, OutputSchema, Annotations json.RawMessage

			Execution json.RawMessage // published, but not used
		}
	}
	var compact bytes.Buffer
	err := json.Compact(&compact, data)
	if err == nil {
		decoder := json.NewDecoder(&compact)
		decoder.DisallowUnknownFields() // a misspelt message would be empty
		err = decoder.Decode(&published)
	}
	if err != nil {
		panic(fmt.Sprintf("%s: the embedded definitions: %v", set, err))
	}
	all := make(Definitions, len(published.Tools))
	for i, p := range published.Tools {
		d := Definition{Hint: p.Hint, SetHint: published.SetHint, Spec: tool.Spec{
			ID: set + "/" + p.Name, Name: p.Name, Title: p.Title, Description: p.Description,
			Input: p.InputSchema, Output: p.OutputSchema, ReadOnly: true, Risk: "Low",
		}}
		if p.Annotations != nil {
			d.MCP = new(published.MCP)
			d.MCP.Annotations = p.Annotations
		}
		all[i] = Defined{d, published.Messages}
		all[i].messages.Prefix = strings.ReplaceAll(published.Messages.Prefix, "{tool}", p.Name)
	}
	return all
}
