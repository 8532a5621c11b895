package native

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// TestBlockHasItsLine reads the block around each line of random files, with several limits. The
// block has that line, blank or not.
func TestBlockHasItsLine(t *testing.T) {
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
		put(t, root, name, text.String())
		tool := toolOf(t, DefaultSettings(), "read_file", root)
		for line := range count {
			for _, limit := range []string{"", `,"limit":1`, `,"limit":3`, `,"limit":20`} {
				args := fmt.Sprintf(`{"path":%q,"block":%d%s}`, name, line+1, limit)
				got := output(tool, args, -1)
				if !strings.Contains(got, fmt.Sprintf("\n%d\t", line+1)) {
					t.Fatalf("%s: line %d is missing in\n%s\n%s", args, line+1, got, text.String())
				}
			}
		}
	}
}

// TestDefinitions searches for each line of random files. A line that begins a definition is exactly
// one of the file, and it is above all other lines.
func TestDefinitions(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	shown := 0
	for range 20 {
		root := t.TempDir()
		all := []string{""}
		for i := range 60 {
			kind := []string{
				"func f%02d() {", "type t%02d struct {", "if x%02d {", "} // %02d", "x%02d", "# H%02d",
			}[r.IntN(6)]
			all = append(all, strings.Repeat("\t", r.IntN(4))+fmt.Sprintf(kind, i))
		}
		name := []string{"f.go", "f.md"}[r.IntN(2)]
		put(t, root, name, strings.Join(all[1:], "\n"))
		tool := toolOf(t, DefaultSettings(), "search_text", root)
		for _, line := range all[1:] {
			got := output(tool, fmt.Sprintf(`{"pattern":%q,"literal":true}`, line), -1)
			before, after, ok := strings.Cut(got, "=\t")
			if !ok {
				continue
			}
			shown++
			text, below, _ := strings.Cut(after, "\n")
			number, err := strconv.Atoi(before[strings.LastIndex(before, "\n")+1:])
			next, err2 := strconv.Atoi(below[:strings.IndexAny(below, "-\t")])
			if err != nil || err2 != nil || text != all[number] || next <= number ||
				strings.Contains(below, "=\t") {
				t.Fatalf("%s: %s", line, got)
			}
		}
	}
	if shown < 100 {
		t.Errorf("%d results have a definition", shown)
	}
}
