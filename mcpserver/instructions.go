package mcpserver

import (
	"slices"
	"strings"

	"gander"
)

// instructions returns the text that tells a model where it is, when to use which tool, and what holds for all tools of a
// dialect. Every session pays for its tokens, so the tools share one sentence.
func instructions(ts *gander.Toolset) string {
	text := "Read-only file tools, confined to " + strings.Join(ts.Roots(), " and ") + "."
	var hints, shared []string
	for _, d := range ts.Definitions() {
		if d.Hint != "" {
			hints = append(hints, d.Name+": "+d.Hint)
		}
		if d.DialectHint != "" && !slices.Contains(shared, d.DialectHint) {
			shared = append(shared, d.DialectHint)
		}
	}
	if len(hints) > 0 {
		text += " " + strings.Join(hints, "; ") + "."
	}
	return strings.Join(append([]string{text}, shared...), " ")
}
