package install

import (
	"fmt"
	"strings"
)

// context is the number of lines shown before and after a change.
const context = 3

// Diff returns the change as a unified diff of one hunk, which patch can apply. It returns "" for an empty change.
func (c Change) Diff() string {
	if c.IsEmpty() {
		return ""
	}
	before, after := lines(c.Before), lines(c.After)
	start := 0
	for start < min(len(before), len(after)) && before[start] == after[start] {
		start++
	}
	same := 0
	for same < min(len(before), len(after))-start && before[len(before)-1-same] == after[len(after)-1-same] {
		same++
	}
	from, to := max(start-context, 0), max(same-context, 0)
	var b strings.Builder
	old := c.Path
	if !c.Exists {
		old = "/dev/null"
	}
	fmt.Fprintf(&b, "--- %s\n+++ %s\n@@ -%s +%s @@\n", old, c.Path, span(from, len(before)-to), span(from, len(after)-to))
	write := func(mark string, lines []string) {
		for _, line := range lines {
			b.WriteString(mark + line)
			if !strings.HasSuffix(line, "\n") {
				b.WriteString("\n\\ No newline at end of file\n")
			}
		}
	}
	write(" ", before[from:start])
	write("-", before[start:len(before)-same])
	write("+", after[start:len(after)-same])
	write(" ", before[len(before)-same:len(before)-to])
	return b.String()
}

// span writes a range of lines, given by offsets, as a hunk's header does.
func span(from, to int) string {
	switch to - from {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	default:
		return fmt.Sprintf("%d,%d", from+1, to-from)
	}
}

func lines(text []byte) []string {
	var all []string
	for line := range strings.Lines(string(text)) {
		all = append(all, line)
	}
	return all
}
