package search

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"gander/internal/native/call"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
)

// TestDefinitions searches for each line of random files. A line that begins a definition is
// exactly one of the file, and it is above all other lines.
func TestDefinitions(t *testing.T) {
	if testing.Short() {
		t.Skip("makes thousands of calls")
	}
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
		tooltest.Put(t, root, name, strings.Join(all[1:], "\n"))
		tool := nativetest.Over(t, Tool, call.DefaultSettings(), root)
		for _, line := range all[1:] {
			got := tooltest.Output(tool, fmt.Sprintf(`{"pattern":%q,"literal":true}`, line), -1)
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
