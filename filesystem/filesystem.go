// Package filesystem reproduces the ten read-only tools of the official MCP filesystem server, the
// npm package @modelcontextprotocol/server-filesystem 2026.8.31, for the library gander, byte for
// byte. If a toolset has these tools alone, package mcpserver also takes on the server's name,
// version and handling of client roots.
//
// The tools differ from the original in these ways: nothing writes; deny patterns and limits apply;
// one error covers all paths outside; FIFOs, sockets and devices are never opened; an unreadable
// directory does not fail a tree; times are in UTC; and control characters in names are escaped.
// docs/reproductions.md has the details.
package filesystem

import (
	"context"
	_ "embed"
	"fmt"
	"os"

	"gander"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/definition"
	"gander/tool"
)

// published contains the original's definitions of the read-only tools, byte for byte.
//
//go:embed definitions.json
var published []byte

// Options configures the tools.
type Options struct {
	VerbatimNames bool // disables escaping of control characters in names
}

// fileTools are the tools, in the order of the original.
var fileTools = []struct {
	name string
	call func(*fileTool, context.Context, tool.Call) (tool.Result, error)
}{
	{"read_file", (*fileTool).readText},
	{"read_text_file", (*fileTool).readText},
	{"read_media_file", (*fileTool).readMedia},
	{"read_multiple_files", (*fileTool).readMultiple},
	{"list_directory", (*fileTool).listDirectory},
	{"list_directory_with_sizes", (*fileTool).listWithSizes},
	{"directory_tree", (*fileTool).directoryTree},
	{"search_files", (*fileTool).searchFiles},
	{"get_file_info", (*fileTool).getFileInfo},
	{"list_allowed_directories", (*fileTool).listAllowedDirectories},
}

// Tools returns the tools. Tools of other sets have priority for a name.
func Tools(o Options) gander.Set {
	var names []string
	for _, t := range fileTools {
		names = append(names, t.name)
	}
	return gander.Set(definition.NewSet(definition.SetDefinition{
		Name:   "filesystem",
		Tools:  names,
		Yields: true,
		Build:  func(w *workspace.Workspace) []tool.Tool { return newTools(w, o) },
	}))
}

// A fileTool is one of the tools.
type fileTool struct {
	definition.Defined
	call      func(*fileTool, context.Context, tool.Call) (tool.Result, error)
	workspace *workspace.Workspace
	options   Options
	home      string // the directory that "~" expands to
}

// newTools returns the tools over a workspace, in the order of their names.
func newTools(w *workspace.Workspace, o Options) []tool.Tool {
	home, err := os.UserHomeDir()
	if err != nil {
		home = separator // which is no allowed directory, unless all files are
	}
	definitions := definition.Decode("filesystem", published)
	var tools []tool.Tool
	for _, t := range fileTools {
		tools = append(tools, &fileTool{definitions.Tool(t.name), t.call, w, o, home})
	}
	return tools
}

// Call calls the tool. Each tool reads all its arguments, in the order of its schema, before it
// accesses files.
func (t *fileTool) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	return t.call(t, ctx, c)
}

// shown returns a name for text results.
func (t *fileTool) shown(name []byte) []byte {
	return text.Printable(text.LossyKey(nil, name), t.options.VerbatimNames)
}

// shownEntries returns the hint for a result that is cut after n entries.
func shownEntries(n int, advice string) string {
	return fmt.Sprintf("%d entries shown; %s", n, advice)
}
