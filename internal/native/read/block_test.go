package read

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gander/internal/native/call"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
)

// TestBlockHasItsLine reads the block around each line of random files, with several limits. The
// block has that line, blank or not.
func TestBlockHasItsLine(t *testing.T) {
	if testing.Short() {
		t.Skip("makes thousands of calls")
	}
	r := rand.New(rand.NewPCG(4, 4))
	for range 20 {
		root := t.TempDir()
		count := 1 + r.IntN(60)
		var text strings.Builder
		for range count {
			indent := strings.Repeat("\t", r.IntN(4))
			line := []string{"", "", "func f() {", "}", "// comment", "# Heading", "x"}[r.IntN(7)]
			text.WriteString(indent + line + strings.Repeat("\n", 1))
		}
		name := []string{"f.go", "f.md"}[r.IntN(2)]
		tooltest.Put(t, root, name, text.String())
		tool := nativetest.Over(t, listing, call.DefaultSettings(), root)
		for line := range count {
			for _, limit := range []string{"", `,"limit":1`, `,"limit":3`, `,"limit":20`} {
				args := fmt.Sprintf(`{"path":%q,"block":%d%s}`, name, line+1, limit)
				got := tooltest.Output(tool, args, -1)
				if !strings.Contains(got, fmt.Sprintf("\n%d\t", line+1)) {
					t.Fatalf("%s: line %d is missing in\n%s\n%s", args, line+1, got, text.String())
				}
			}
		}
	}
}

// TestFences reads blocks of Markdown in and after blocks of code, also far below their fences.
func TestFences(t *testing.T) {
	root := t.TempDir()
	x := func(n int) string { return strings.Repeat("x\n", n) }
	tooltest.Put(t, root, "far.md", "```\n"+x(150)+"```\n"+x(50)+"# A\n\n"+x(12)+"# B\nx\n")
	tooltest.Put(t, root, "code.md", "# A\n```\n"+strings.Repeat("# no\n", 300)+"```\n"+x(20)+"# B\n")
	tooltest.Put(t, root, "kinds.md", "# A\n```\n~~~\n# no\n```\ntext\n# B\nx\n")
	tooltest.Put(t, root, "long.md", "# A\n````md\n```\n# no\n```\n````\ntext\n# B\nx\n")
	tooltest.Put(t, root, "info.md", "# A\n```\n```go\n# no\n``` \ntext\n# B\nx\n")
	tooltest.Put(t, root, "inline.md", "# A\n```x```\ntext\n# B\nx\n")
	tooltest.Put(t, root, "indented.md", "# A\n\n    # no\n    make\n\ntext\n# B\nx\n")
	tooltest.Put(t, root, "large.md", "# A\n```\n"+x(countedBytes/2)+"```\ntext\n")
	c := nativetest.Over(t, listing, call.DefaultSettings(), root)
	for _, tt := range []struct{ path, want string }{
		{"far.md:212", "lines 203-216 of 218, the block around line 212"},
		{"far.md:218", "lines 217-218 of 218, the block around line 218"},
		{"code.md:302", "lines 124-323 of 324, a part of the section around line 302, which has lines 1-323"},
		{"kinds.md:6", "lines 1-6 of 8, the block around line 6"},
		{"long.md:7", "lines 1-7 of 9, the block around line 7"},
		{"info.md:6", "lines 1-6 of 8, the block around line 6"},
		{"indented.md:6", "lines 1-6 of 8, the block around line 6"},
		{"inline.md:5", "lines 4-5 of 5, the block around line 5"},
		{"large.md:5", "lines 1-200 of at least 201, because blocks are not looked for in Markdown of " +
			"more than 4,194,304 bytes"},
	} {
		block := tooltest.Output(c, fmt.Sprintf(`{"path":%q,"block":true}`, tt.path), -1)
		got, _, _ := strings.Cut(block, "\n")
		_, got, _ = strings.Cut(got, ": ")
		if got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.path, got, tt.want)
		}
	}
}

// TestReadOn follows the markers of read_file over random files, with budgets from tiny to large.
// It must read every character of every line exactly once.
func TestReadOn(t *testing.T) {
	if testing.Short() {
		t.Skip("sequential, and slow under the race detector")
	}
	r := rand.New(rand.NewPCG(9, 9))
	root := t.TempDir()
	for round := range 5 {
		var want []string
		for range 1 + r.IntN(40) {
			length := []int{0, 1, 5, 40, 200, 3000}[r.IntN(6)]
			if length == 3000 && r.IntN(4) == 0 {
				length = 20_000
			}
			var line strings.Builder
			for range r.IntN(length + 1) {
				line.WriteString([]string{"a", "b", "é", "漢", "😀", " "}[r.IntN(6)])
			}
			want = append(want, line.String())
		}
		tooltest.Put(t, root, "f", strings.Join(want, []string{"\n", "\r\n"}[r.IntN(2)])+"\n")
		c := nativetest.Over(t, listing, call.Settings{}, root)
		for _, limit := range []int{250, 1000, 5000, 40_000, -1} {
			if got, ok := readAll(c, limit); ok && !slices.Equal(got, want) {
				t.Fatalf("round %d, limit %d: %d lines, want %d", round, limit, len(got), len(want))
			}
		}
	}
}

// goOn is a hint at the end of a heading or of a cut line.
var goOn = regexp.MustCompile(`(?: \[line cut at [\d,]+ of [\d,]+ .*the rest: |; continue with )` +
	`(?:offset=(\d+)|path="(.*)"\]?)$`)

// readAll reads the file f by following the hints. It reports false if the limit is too small for a
// result.
func readAll(c tooltest.Caller, limit int) (lines []string, ok bool) {
	c.T.Helper()
	queue := []string{`{"path":"f"}`}
	for calls := 0; len(queue) > 0; calls++ {
		args := queue[0]
		queue = queue[1:]
		result, ok := tooltest.CallTwice(c, args, limit)
		if !ok {
			return nil, false
		}
		marked := false
		for i, line := range strings.Split(result.Text(), "\n") {
			digits, content, numbered := strings.Cut(line, "\t")
			hint := goOn.FindStringSubmatch(line)
			if hint != nil && (i == 0 || numbered) {
				marked = true
				content = strings.TrimSuffix(content, hint[0])
				queue = append(queue, fmt.Sprintf(`{"path":"%s","offset":%s}`,
					cmp.Or(hint[2], "f"), cmp.Or(hint[1], "null")))
			}
			if number, _ := strconv.Atoi(digits); number == len(lines)+1 {
				lines = append(lines, content)
			} else if numbered {
				lines[number-1] += content
			}
		}
		if result.Truncated && !marked || calls > 3000 {
			c.T.Fatalf("%s: cut without a mark, or the hints form a cycle:\n%s", args, result.Text())
		}
	}
	return lines, true
}
