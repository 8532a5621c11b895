package search

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gander/internal/native/call"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/ripgrep"
	"gander/internal/testkit/tooltest"
)

// TestOutputsAsRipgrep compares every output for random patterns with rg, in files with lines of up
// to 5 MB. GANDER_PATTERNS is the number of patterns.
func TestOutputsAsRipgrep(t *testing.T) {
	ripgrep.Need(t)
	long := 0 // matching lines longer than a buffer
	for seed := range ripgrep.Cases(t, "GANDER_PATTERNS", 60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			g := ripgrep.NewGenerator(uint64(seed), 5)
			root := t.TempDir()
			longest := 0
			if lengths := []int{90_000, 90_000, 90_000, 400_000, 400_000, 5_000_000}; g.IntN(6) == 0 {
				longest = lengths[g.IntN(len(lengths))]
			}
			for _, name := range []string{"a", "b", "c"} {
				tooltest.Put(t, root, name, linesUpTo(g, longest))
			}
			c := comparison{t: t, tool: nativetest.Over(t, Tool, call.DefaultSettings(), root)}
			c.pattern, c.ignoreCase = g.Pattern(2), g.IntN(4) == 0
			if c.ask(root) {
				c.compareMatches(1)
				c.compareMatches(1 + g.IntN(len(c.matches.all)+1))
				c.compareLines()
				c.compareFiles()
			}
			for _, l := range c.lines {
				if len(l.Text) > 64<<10 {
					long++
				}
			}
		})
	}
	t.Logf("%d long lines match", long)
}

// linesUpTo returns lines, of which some have up to longest bytes.
func linesUpTo(g ripgrep.Generator, longest int) string {
	b := []byte{'\n'} // ripgrep may treat the beginning of a file in a special way
	for range g.IntN(8) {
		words := g.Text(1 + g.IntN(20))
		line := strings.NewReplacer("\n", " ", "\r", "", "\x00", "").Replace(words)
		if longest > 0 && g.IntN(3) == 0 {
			line = strings.Repeat(line, 1+g.IntN(longest)/len(line)) + line[:g.IntN(len(line))]
		}
		b = append(append(b, line[:g.IntN(len(line))+1]...), '\n')
	}
	return string(b)
}

// A comparison compares the outputs for a pattern with what rg found.
type comparison struct {
	t          *testing.T
	tool       tooltest.Caller
	pattern    string
	ignoreCase bool

	lines   []ripgrep.Line
	matches listedMatches
}

// ask asks rg. It reports false if rg refuses the pattern, or takes too long.
func (c *comparison) ask(root string) bool {
	c.t.Helper()
	flags := []string{"--json", "--crlf", "--sort=path", "--encoding=none", "--regexp=" + c.pattern}
	if c.ignoreCase {
		flags = append(flags, "--ignore-case")
	}
	out, refused := ripgrep.Run(c.t, root, "", flags...)
	if refused != "" {
		return false
	}
	c.lines = ripgrep.Lines(c.t, out)
	for _, l := range c.lines {
		for _, s := range l.Spans {
			c.matches.add(l.Path, l.Number, l.Text, s.Start, s.End)
		}
	}
	return true
}

// call returns the lines of a result.
func (c *comparison) call(more map[string]any) []string {
	c.t.Helper()
	args := map[string]any{"pattern": c.pattern, "ignore_case": c.ignoreCase, "limit": 300}
	for name, value := range more {
		args[name] = value
	}
	raw, err := json.Marshal(args)
	if err != nil {
		c.t.Fatal(err)
	}
	return strings.Split(tooltest.Output(c.tool, string(raw), -1), "\n")
}

var totalInHeading = regexp.MustCompile(`^(?:[a-z ]+ [\d,]+-[\d,]+ of )?(at least )?([\d,]+)`)

// compareMatches compares the page of the matches from an offset on.
func (c *comparison) compareMatches(offset int) {
	c.t.Helper()
	lines := c.call(map[string]any{"output": "matches", "offset": offset})
	heading, got := lines[0], parseMatches(c.t, lines[1:])
	all := len(c.matches.all)
	if offset > all {
		if len(got) > 0 {
			c.t.Errorf("%q: matches from %d: %v", c.pattern, offset, got[0])
		}
		return
	}
	want := c.matches.all[offset-1:]
	for i, l := range got {
		other := want[min(i, len(want)-1)]
		same := i < len(want) && isShown(other.Text, l.Text)
		l.Text = other.Text
		if !same || l != other {
			c.t.Errorf("%q: match %d is %.500v, not %.500v", c.pattern, offset+i, got[i], other)
			return
		}
	}
	total := totalInHeading.FindStringSubmatch(heading)
	if total == nil || len(got) == 0 {
		c.t.Errorf("%q: %s", c.pattern, heading)
		return
	}
	n, _ := strconv.Atoi(strings.ReplaceAll(total[2], ",", ""))
	if total[1] == "" && n != all || n > all {
		c.t.Errorf("%q: %s, but there are %d", c.pattern, heading, all)
	}
}

var excerptMarker = regexp.MustCompile(` \[bytes ([\d,]+)-([\d,]+) of .*; read_file ` +
	`path="[^"]*"\]$`)

// compareLines compares the matching lines.
func (c *comparison) compareLines() {
	c.t.Helper()
	var got []string
	path := ""
	for _, line := range c.call(map[string]any{"context": 0})[1:] {
		switch {
		case strings.Contains(line, "\t"):
			got = append(got, path+":"+line)
		case line != "" && line[0] != '[':
			path = line
		}
	}
	if len(got) != len(c.lines) {
		c.t.Errorf("%q: %d matching lines, not %d", c.pattern, len(got), len(c.lines))
		return
	}
	for i, l := range c.lines {
		first, last := 0, len(l.Text)
		text := strings.TrimPrefix(got[i], fmt.Sprintf("%s:%d\t", l.Path, l.Number))
		if marker := excerptMarker.FindStringSubmatch(text); marker != nil {
			text = strings.TrimSuffix(text, marker[0])
			first, _ = strconv.Atoi(strings.ReplaceAll(marker[1], ",", ""))
			last, _ = strconv.Atoi(strings.ReplaceAll(marker[2], ",", ""))
			first--
		}
		hidden := len(l.Spans) > 0 && (int(l.Spans[0].Start) < first || int(l.Spans[0].Start) > last)
		if hidden || text != toValidUTF8([]byte(l.Text[first:last])) {
			first := l.Spans[:min(1, len(l.Spans))]
			c.t.Errorf("%q: line %.600q, not %.500q, with %v", c.pattern, got[i], l.Text, first)
		}
	}
}

// compareFiles compares the matching files and the numbers of their lines.
func (c *comparison) compareFiles() {
	c.t.Helper()
	var files, counts strings.Builder
	for _, name := range []string{"a", "b", "c"} {
		n := 0
		for _, l := range c.lines {
			if l.Path == name {
				n++
			}
		}
		if n > 0 {
			fmt.Fprintf(&files, "\n%s", name)
			fmt.Fprintf(&counts, "\n%d\t%s", n, name)
		}
	}
	for kind, want := range map[string]string{"files": files.String(), "counts": counts.String()} {
		args, _ := json.Marshal(map[string]any{
			"pattern": c.pattern, "ignore_case": c.ignoreCase, "output": kind,
		})
		got := tooltest.Output(c.tool, string(args), -1)
		if _, body, _ := strings.Cut(got, "\n"); body != strings.TrimPrefix(want, "\n") {
			c.t.Errorf("%q: %s: %q, not %q", c.pattern, kind, got, want)
		}
	}
}
