package definition

import (
	"gander/internal/files/workspace"
	"gander/tool"
)

// A Set is the tools of one author for any workspace. The zero Set has no tools. The type is opaque
// because the library publishes it.
type Set struct{ definition SetDefinition }

// A SetDefinition describes a [Set].
type SetDefinition struct {
	Name   string   // the part of the IDs before the slash
	Tools  []string // the names of the tools in display order
	Yields bool     // the tools of other sets have priority for a name
	Err    error    // what is wrong with the options of the set, if anything
	// Build creates the tools for a workspace, in the order of their names. It is called only if Err
	// is nil.
	Build func(*workspace.Workspace) []tool.Tool
}

// NewSet returns the set with the given definition.
func NewSet(d SetDefinition) Set { return Set{d} }

// Definition returns the definition of the set.
func (s Set) Definition() SetDefinition { return s.definition }

// One returns the set of one of the published tools, which build makes for a workspace. err is what
// is wrong with the options of the set, if anything.
func One(
	set, name string, published []byte, err error,
	build func(Defined, *workspace.Workspace) tool.Tool,
) Set {
	return NewSet(SetDefinition{
		Name: set, Tools: []string{name}, Err: err,
		Build: func(w *workspace.Workspace) []tool.Tool {
			return []tool.Tool{build(Decode(set, published).Tool(name), w)}
		},
	})
}
