package native

import (
	"fmt"
	"math/rand/v2"
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
