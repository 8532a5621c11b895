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
	// Server is the name of that server, and Version its version.
	Server, Version string
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
type Defined struct{ Published Definition }

// Spec implements [tool.Tool].
func (d *Defined) Spec() tool.Spec { return d.Published.Spec }

// Definition returns the published definition.
func (d *Defined) Definition() Definition { return d.Published }

// Definitions decodes the embedded definitions of a set of tools, which have the form of MCP's list
// of tools, with hints. MCP is set for tools with annotations. It panics if data is invalid.
func Definitions(set string, data []byte) []Definition {
	var list struct {
		Tools []struct {
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
	all := make([]Definition, len(list.Tools))
	for i, p := range list.Tools {
		all[i] = Definition{Hint: p.Hint, Spec: tool.Spec{
			ID: set + "/" + p.Name, Name: p.Name, Title: p.Title, Description: p.Description,
			Input: p.InputSchema, Output: p.OutputSchema, Risk: "Low",
		}}
		if p.Annotations != nil {
			all[i].MCP = &MCP{Annotations: p.Annotations}
		}
	}
	return all
}
