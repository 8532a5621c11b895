// Package native makes the set of gander's own tools: list_dir, read_file, find_files and
// search_text, each of which has a package below. docs/toolset.md describes them.
//
// They share the packages beside them: the stages of a call and its arguments, the rules for paths,
// and the results that fit a budget.
//
// Paths have three names here. A given path is an argument as it came, a shown path is escaped for
// results, and a rel path is relative to where a tool starts.
package native

import (
	"gander/internal/files/workspace"
	"gander/internal/native/call"
	"gander/internal/native/find"
	"gander/internal/native/list"
	"gander/internal/native/read"
	"gander/internal/native/search"
	"gander/internal/tools/definition"
	"gander/tool"
)

// Set returns the tools.
func Set(s call.Settings) definition.Set {
	return definition.NewSet(definition.SetDefinition{
		Name:  "gander",
		Tools: []string{"list_dir", "read_file", "find_files", "search_text"},
		Build: func(w *workspace.Workspace) []tool.Tool {
			return toolsIn(&call.Environment{Workspace: w, Settings: s})
		},
	})
}

// toolsIn returns the tools in display order.
func toolsIn(e *call.Environment) []tool.Tool {
	return []tool.Tool{list.Tool(e), read.Tool(e, list.Page), find.Tool(e), search.Tool(e)}
}
