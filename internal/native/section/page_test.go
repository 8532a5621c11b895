package section

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gander/tool"
)

// TestPageFits makes sections of ten items under every budget, in bytes and in characters.
func TestPageFits(t *testing.T) {
	for _, item := range []string{"item", "😀"} {
		for limit := 1; limit <= 120; limit++ {
			b := Budget{Size: Size{limit, math.MaxInt}}
			if item == "😀" {
				b.Size = Size{math.MaxInt, limit}
			}
			p := &Page{Offset: 1, Limit: 10, Budget: b}
			var items Items
			for range 10 {
				if p.Next() {
					items.Add([]byte(item))
					p.CheckSize(items.Size())
				}
			}
			textOf := func(n int) string {
				text := "head" + strings.Repeat("\n"+item, n)
				if n < 10 {
					text += fmt.Sprintf("\n[%d more]", 10-n)
				}
				return text
			}
			want := ""
			for n := 1; n <= 10; n++ {
				if b.Fits(SizeOf(textOf(n))) {
					want = textOf(n)
				}
			}
			s := items.Section(b, func(n int) Section {
				s := Section{Heading: "head"}
				if p.Continues(n) {
					s.Markers = fmt.Sprintf("[%d more]", 10-n)
				}
				return s
			})
			if got := s.text(); got != want && (want != "" || b.Fits(s.Size())) {
				t.Errorf("limit %d: got %q, want %q", limit, got, want)
			}
		}
	}
	if _, err := NewBudget(tool.Budget{MaxOutputBytes: new(int)}, 0); err == nil {
		t.Error("a budget of 0 has room")
	}
}
