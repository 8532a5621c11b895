package native

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gander/tool"
)

// TestItems writes sections of ten items under every budget, in bytes and in characters.
func TestItems(t *testing.T) {
	for _, inChars := range []bool{false, true} {
		item, perItem := "item", 5
		if inChars {
			item, perItem = "😀", 3
		}
		for limit := 1; limit <= 120; limit++ {
			b := budget{size: size{limit, math.MaxInt}}
			if inChars {
				b = budget{size: size{math.MaxInt, limit}}
			}
			a := &items{budget: b}
			for range 10 {
				a.add([]byte(item))
			}
			result, err := a.finish(func(shown int) (s section) {
				if s.Heading = "head"; shown < 10 {
					s.Markers = fmt.Sprintf("[%d more]", 10-shown)
				}
				return s
			})
			fits := 5 + 10*perItem - 1
			if err != nil {
				if limit >= 5+perItem+len("[9 more]") {
					t.Errorf("limit %d: %v", limit, err)
				}
				continue
			}
			text := result.text()
			total := sizeOf(text)
			shown := strings.Count(text, item)
			if !b.fits(total) || result.truncated != (limit < fits) ||
				(shown == 10) != (limit >= fits) || shown == 0 {
				t.Errorf("limit %d: got %q", limit, text)
			}
			if shown < 10 && !strings.HasSuffix(text, fmt.Sprintf("\n[%d more]", 10-shown)) ||
				!strings.HasPrefix(text, "head\n") {
				t.Errorf("limit %d: got %q", limit, text)
			}
		}
	}
	if _, err := (&files{}).newBudget(tool.Budget{MaxOutputBytes: new(int)}); err == nil {
		t.Error("a budget of 0 has room")
	}
}
