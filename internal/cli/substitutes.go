package cli

import (
	_ "embed"
	"slices"
	"strings"
)

// substitutes has a section for each command with the flags of other programs that it lacks. A line
// has such flags without hyphens, a colon, and what to use instead. The section all is for every
// command.
//
//go:embed substitutes.txt
var substitutes string

// substituteFor returns what to use instead of a flag of a command, or "".
func substituteFor(command, flag string) string {
	for _, name := range []string{command, "all"} {
		_, section, _ := strings.Cut("\n"+substitutes, "\n# "+name+"\n")
		section, _, _ = strings.Cut(section, "\n# ")
		for line := range strings.Lines(section) {
			flags, use, _ := strings.Cut(line, ": ")
			if slices.Contains(strings.Fields(flags), flag) {
				return strings.TrimSpace(use)
			}
		}
	}
	return ""
}
