// Package filesystem implements the read-only tools of the npm package
// @modelcontextprotocol/server-filesystem (2026.8.31) as described by
// docs/reproductions.md#filesystem.
package filesystem

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// published contains the original's definitions of the read-only tools, byte for byte.
//
//go:embed definitions.json
var published []byte

// Settings holds the options of the tools.
type Settings struct {
	Home          string // the directory that "~" expands to, or ""
	VerbatimNames bool   // print names without escaping control characters
}

// A Tool is one of the tools.
type Tool struct {
	shared.Defined
	workspace *workspace.Workspace
	settings  Settings
	keys      string // of the arguments, in the order of the schema
	run       func(*Tool, context.Context, request, tool.Budget) (tool.Result, error)
}

// New returns the tools over a workspace, in the order of the original.
func New(w *workspace.Workspace, s Settings) []tool.Tool {
	all := map[string]Tool{
		"read_file":                 {keys: "path tail head", run: (*Tool).readText},
		"read_text_file":            {keys: "path tail head", run: (*Tool).readText},
		"read_media_file":           {keys: "path", run: (*Tool).readMedia},
		"read_multiple_files":       {keys: "paths", run: (*Tool).readMultiple},
		"list_directory":            {keys: "path", run: (*Tool).listDirectory},
		"list_directory_with_sizes": {keys: "path sortBy", run: (*Tool).listWithSizes},
		"directory_tree":            {keys: "path excludePatterns", run: (*Tool).directoryTree},
		"search_files":              {keys: "path pattern excludePatterns", run: (*Tool).searchFiles},
		"get_file_info":             {keys: "path", run: (*Tool).getFileInfo},
		"list_allowed_directories":  {run: (*Tool).listAllowedDirectories},
	}
	var tools []tool.Tool
	for _, d := range shared.Definitions("filesystem", published) {
		t := all[d.Published.Name]
		t.Defined, t.workspace, t.settings = d, w, s
		tools = append(tools, &t)
	}
	return tools
}

// Call calls the tool. It validates the arguments before any file access.
func (t *Tool) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.parseRequest(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	return t.run(t, ctx, r, c.Budget)
}

// A request holds the valid arguments of a call. Absent ones are zero.
type request struct {
	path, pattern, sortBy string
	paths, exclude        []string
	head, tail            float64
}

// parseRequest decodes and validates the arguments in the order of the schema.
func (t *Tool) parseRequest(raw json.RawMessage) (r request, err error) {
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
func (t *Tool) shown(name []byte) []byte {
	return shared.Printable(text.LossyKey(nil, name), t.settings.VerbatimNames)
}

// shownEntries returns the hint for a cut result.
func shownEntries(advice string) func(int) string {
	return func(shown int) string { return fmt.Sprintf("%d entries shown; %s", shown, advice) }
}
