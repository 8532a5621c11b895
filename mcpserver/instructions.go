package mcpserver

import (
	"strings"

	"gander"
)

// instructions tells a model where it is, which tool serves what, and how to get more. Every session pays for its
// tokens: one line a tool, and only for tools that are there.
func instructions(ts *gander.Toolset) string {
	hints := map[string]string{
		"codex/list_dir":        "a directory and its subdirectories, by absolute path; for more, raise offset",
		"codex/read_file":       "numbered lines of a file, by absolute path; for more, raise offset",
		"gemini/list_directory": "the names in one directory, by absolute path, without what ignore files hide",
		"forge/list_directory":  "entries with their metadata, as JSON; where truncated, list a subdirectory",
		"toolkit/tree":          "overview of a directory tree, as JSON; where limit_reached, ask for a subdirectory",
	}
	var b strings.Builder
	b.WriteString("Read-only file tools, confined to " + strings.Join(ts.Roots(), " and ") + ".")
	for _, d := range ts.Definitions() {
		if hint, ok := hints[d.ID]; ok {
			b.WriteString("\n" + d.Name + ": " + hint + ".")
		}
	}
	return b.String()
}
