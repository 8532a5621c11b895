package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gander/internal/engine/text"
)

// text is the examination as a person reads it.
func (e examination) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "gander %s, %s, %s\n", e.Version, e.Go, e.Platform)
	for _, path := range slices.Sorted(maps.Keys(e.Modules)) {
		if strings.HasSuffix(path, "/go-sdk") {
			fmt.Fprintf(&b, "  %s %s\n", path, e.Modules[path])
		}
	}
	fmt.Fprintf(&b, "limits of a call: %s of output, %s of time; %s calls at once, %s of memory between them\n",
		limit(e.Limits.MaxOutputBytes, "bytes"), limit(int(e.Limits.TimeoutMS), "ms"), limit(e.Limits.MaxCalls, ""), limit(e.Limits.MemoryBytes, "bytes"))
	b.WriteString("\nworkspace\n" + e.Workspace.text())
	for _, s := range e.Servers {
		b.WriteString("\n" + s.text())
	}
	if len(e.Servers) == 0 {
		b.WriteString("\nno client starts gander; see gander install --help\n")
	}
	b.WriteString("\n")
	for _, p := range e.Problems {
		fmt.Fprintf(&b, "wrong: %s\n", oneLine(p))
	}
	if e.OK {
		b.WriteString("all is well\n")
	}
	return b.String()
}

func limit(n int, unit string) string {
	if n == 0 {
		return "no limit"
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", n, unit))
}

func (s serverCheck) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s scope, %q in %s\n", s.Client, s.Scope, s.Name, oneLine(s.File))
	words := append([]string{s.Command}, s.Args...)
	for i, word := range words {
		if word == "" || strings.ContainsAny(word, " \t\n\"'") {
			words[i] = fmt.Sprintf("%q", word)
		}
	}
	fmt.Fprintf(&b, "  starts %s\n", oneLine(strings.Join(words, " ")))
	for _, n := range s.Notes {
		fmt.Fprintf(&b, "  note: %s\n", oneLine(n))
	}
	if s.Workspace != nil {
		b.WriteString(s.Workspace.text())
	}
	return b.String()
}

func (c workspaceCheck) text() string {
	var b strings.Builder
	for _, root := range c.Roots {
		fmt.Fprintf(&b, "  %s opens\n", oneLine(root))
		for _, a := range c.Tools {
			if a.Root == root {
				fmt.Fprintf(&b, "    %-24s %s\n", a.Tool, oneLine(a.text()))
			}
		}
	}
	if len(c.Roots) == 0 {
		b.WriteString("  does not open\n")
	}
	return b.String()
}

func (a answer) text() string {
	switch {
	case a.Error != "":
		return "fails"
	case a.Note != "":
		return a.Note
	default:
		return fmt.Sprintf("%8.2f ms %7d bytes", a.MS, a.Bytes)
	}
}

// oneLine is s such that it cannot pass for several lines.
func oneLine(s string) string { return text.Escape(text.Sanitize(s)) }
