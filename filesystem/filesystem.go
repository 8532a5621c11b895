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
	"encoding/json"
	"fmt"
	"os"
	"strings"

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

// Tools returns the tools. Tools of other sets have priority for a name.
func Tools(o Options) gander.Set {
	return gander.Set(definition.NewSet(definition.SetDefinition{
		Name: "filesystem",
		Tools: []string{
			"read_file", "read_text_file", "read_media_file", "read_multiple_files", "list_directory",
			"list_directory_with_sizes", "directory_tree", "search_files", "get_file_info",
			"list_allowed_directories",
		},
		Yields: true,
		Build:  func(w *workspace.Workspace) []tool.Tool { return newTools(w, o) },
	}))
}

// A fileTool is one of the tools.
type fileTool struct {
	definition.Defined
	workspace *workspace.Workspace
	options   Options
	home      string // the directory that "~" expands to, or "" for the root
	keys      string // the names of the arguments, in the order of the schema
}

// keys are the arguments of each tool.
var keys = map[string]string{
	"read_file":                 "path tail head",
	"read_text_file":            "path tail head",
	"read_media_file":           "path",
	"read_multiple_files":       "paths",
	"list_directory":            "path",
	"list_directory_with_sizes": "path sortBy",
	"directory_tree":            "path excludePatterns",
	"search_files":              "path pattern excludePatterns",
	"get_file_info":             "path",
}

// newTools returns the tools over a workspace, in the order of the original.
func newTools(w *workspace.Workspace, o Options) []tool.Tool {
	home, _ := os.UserHomeDir()
	var tools []tool.Tool
	for _, d := range definition.Decode("filesystem", published) {
		tools = append(tools, &fileTool{
			Defined: d, workspace: w, options: o, home: home, keys: keys[d.Published.Name],
		})
	}
	return tools
}

// Call calls the tool. It validates the arguments before any file access.
func (t *fileTool) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.parseRequest(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	switch t.Published.Name {
	case "read_file", "read_text_file":
		return t.readText(ctx, r, c.Budget)
	case "read_media_file":
		return t.readMedia(ctx, r, c.Budget)
	case "read_multiple_files":
		return t.readMultiple(ctx, r, c.Budget)
	case "list_directory":
		return t.listDirectory(ctx, r, c.Budget)
	case "list_directory_with_sizes":
		return t.listWithSizes(ctx, r, c.Budget)
	case "directory_tree":
		return t.directoryTree(ctx, r, c.Budget)
	case "search_files":
		return t.searchFiles(ctx, r, c.Budget)
	case "get_file_info":
		return t.getFileInfo(ctx, r, c.Budget)
	default:
		return t.listAllowedDirectories(ctx, r, c.Budget)
	}
}

// A request holds the valid arguments of a call. Absent ones are zero.
type request struct {
	path, pattern, sortBy string
	paths, exclude        []string
	head, tail            float64
}

// parseRequest decodes and validates the arguments in the order of the schema.
func (t *fileTool) parseRequest(raw json.RawMessage) (r request, err error) {
	a := t.Arguments(raw)
	for _, key := range strings.Fields(t.keys) {
		switch key {
		case "path":
			r.path = a.Required(key).String("")
		case "pattern":
			r.pattern = a.Required(key).String("")
		case "sortBy":
			r.sortBy = a.Optional(key).Choice("name", "size")
		case "paths":
			r.paths = a.Required(key).Strings()
			if len(r.paths) == 0 && a.Err() == nil {
				a.Reject("Too small: expected array to have >=1 items at paths")
			}
		case "excludePatterns":
			r.exclude = a.Optional(key).Strings()
		case "head":
			r.head = a.Optional(key).Number(0)
		case "tail":
			r.tail = a.Optional(key).Number(0)
		}
	}
	return r, a.Err()
}

// shown returns a name for text results.
func (t *fileTool) shown(name []byte) []byte {
	return text.Printable(text.LossyKey(nil, name), t.options.VerbatimNames)
}

// shownEntries returns the hint for a cut result.
func shownEntries(advice string) func(int) string {
	return func(shown int) string { return fmt.Sprintf("%d entries shown; %s", shown, advice) }
}
