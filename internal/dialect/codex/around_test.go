package codex

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"gander/internal/dialect"
	"gander/internal/engine/lines"
	"gander/tool"
)

// TestAround checks that the lines are those that the tool answers with.
func TestAround(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		var text []byte
		count := 1 + r.IntN(12)
		for range count {
			text = append(text, strings.Repeat(" ", 4*r.IntN(3))...)
			text = append(text, []string{"x\n", "\n", "# c\n"}[r.IntN(3)]...)
		}
		request := &blockRequest{anchor: 1 + r.IntN(count), levels: r.IntN(3), limit: 1 + r.IntN(14)}
		page, err := dialect.NewPage(tool.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := request.read(t.Context(), bytes.NewReader(text), lines.Options{Keep: keptBytes}, page, tool.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		first, last, err := Around(t.Context(), bytes.NewReader(text), request.anchor, request.levels, request.limit)
		if err != nil {
			t.Fatal(err)
		}
		if want.Text() == "" {
			if first != request.anchor || last != first {
				t.Errorf("%q, %+v: got %d to %d of nothing", text, request, first, last)
			}
			continue
		}
		var expected []string
		all := strings.Split(string(text), "\n")
		for n := first; n <= last; n++ {
			expected = append(expected, fmt.Sprintf("L%d: %s", n, all[n-1]))
		}
		if got := strings.Join(expected, "\n"); got != want.Text() {
			t.Fatalf("%q, %+v: got\n%s\nwant\n%s", text, request, got, want.Text())
		}
	}
	if _, _, err := Around(t.Context(), strings.NewReader("x"), 2, 0, 9); err != io.EOF {
		t.Errorf("got %v", err)
	}
}
