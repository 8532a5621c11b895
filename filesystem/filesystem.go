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

// toolNames are the names of the tools, in the order of the original.
var toolNames = []string{
	"read_file", "read_text_file", "read_media_file", "read_multiple_files", "list_directory",
	"list_directory_with_sizes", "directory_tree", "search_files", "get_file_info",
	"list_allowed_directories",
}

// Tools returns the tools. Tools of other sets have priority for a name.
func Tools(o Options) gander.Set {
	return gander.Set(definition.NewSet(definition.SetDefinition{
		Name:   "filesystem",
		Tools:  toolNames,
		Yields: true,
		Build:  func(w *workspace.Workspace) []tool.Tool { return newTools(w, o) },
	}))
}

// A fileTool is one of the tools.
type fileTool struct {
	definition.Defined
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
	for _, name := range toolNames {
		tools = append(tools, &fileTool{definitions.Tool(name), w, o, home})
	}
	return tools
}

// Call calls the tool. Each tool reads all its arguments, in the order of its schema, before it
// accesses files.
func (t *fileTool) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	switch t.Published.Name {
	case "read_file", "read_text_file":
		return t.readText(ctx, c)
	case "read_media_file":
		return t.readMedia(ctx, c)
	case "read_multiple_files":
		return t.readMultiple(ctx, c)
	case "list_directory":
		return t.listDirectory(ctx, c)
	case "list_directory_with_sizes":
		return t.listWithSizes(ctx, c)
	case "directory_tree":
		return t.directoryTree(ctx, c)
	case "search_files":
		return t.searchFiles(ctx, c)
	case "get_file_info":
		return t.getFileInfo(ctx, c)
	case "list_allowed_directories":
		return t.listAllowedDirectories(c)
	default:
		panic("filesystem: no tool has the name " + t.Published.Name)
	}
}

// shown returns a name for text results.
func (t *fileTool) shown(name []byte) []byte {
	return text.Printable(text.LossyKey(nil, name), t.options.VerbatimNames)
}

// shownEntries returns the hint for a result that is cut after n entries.
func shownEntries(n int, advice string) string {
	return fmt.Sprintf("%d entries shown; %s", n, advice)
}
