package mcpserver

import (
	"strings"

	"gander"
)

// instructions returns the text that tells a model where it is and when to use which tool. Every session pays for its
// tokens, so there is one line for each tool that has a hint.
func instructions(ts *gander.Toolset) string {
	var b strings.Builder
	b.WriteString("Read-only file tools, confined to " + strings.Join(ts.Roots(), " and ") + ".")
	for _, d := range ts.Definitions() {
		if d.Hint != "" {
			b.WriteString("\n" + d.Name + ": " + d.Hint + ".")
		}
	}
	return b.String()
}
