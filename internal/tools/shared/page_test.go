package shared

import (
	"fmt"
	"strings"
	"testing"

	"gander/tool"
)

// fillPage returns the finished page with these lines.
func fillPage(limit *int, expected int, head, items, tail []string) (tool.Result, error) {
	page, err := NewPage(tool.Budget{MaxOutputBytes: limit})
	if err != nil {
		return tool.Result{}, err
	}
	page.Expect(expected)
	for _, line := range head {
		page.Line(line)
	}
	for _, line := range items {
		if !page.Add([]byte(line)) {
			break
		}
	}
	for _, line := range tail {
		page.Line(line)
	}
	return page.Finish(func(shown int) string { return fmt.Sprintf("continue at %d", shown+1) })
}

// wantPage is fillPage over all lines. It returns "" if the limit is too small.
func wantPage(limit *int, head, items, tail []string) string {
	whole := strings.Join(append(append(append([]string{}, head...), items...), tail...), "\n")
	if limit == nil || len(whole) <= *limit && *limit > 0 {
		return whole
	}
	for shown := len(items); shown > 0; shown-- {
		lines := append(append([]string{}, head...), items[:shown]...)
		notice := "[gander: output limit of %d bytes reached; continue at %d]"
		text := strings.Join(append(lines, fmt.Sprintf(notice, *limit, shown+1)), "\n")
		if len(text) <= *limit {
			return text
		}
	}
	return ""
}

func checkPage(t *testing.T, limit *int, expected int, head, items, tail []string) {
	t.Helper()
	got, err := fillPage(limit, expected, head, items, tail)
	want := wantPage(limit, head, items, tail)
	whole := wantPage(nil, head, items, tail)
	switch {
	case err != nil && (want != "" || whole == "" && *limit > 0 ||
		!strings.Contains(err.Error(), "is too small for any answer; raise it")):
		t.Errorf("limit %d: %v, want %q", *limit, err, want)
	case err == nil && (got.Text() != want || got.Truncated != (want != whole)):
		t.Errorf("got %q, truncated %v, want %q", got.Text(), got.Truncated, want)
	}
}

// TestPage compares pages under every budget with wantPage.
func TestPage(t *testing.T) {
	head, tail := []string{"Directory:"}, []string{"", strings.Repeat("t", 70)}
	for _, items := range [][]string{
		nil,
		{""},
		{"a", "b"},
		{"", "", ""},
		{"a", strings.Repeat("b", 90), "c"},
		{"a\nb", strings.Repeat("c\n", 20)},
		strings.Split(strings.Repeat("name,", 20), ","),
	} {
		for _, expected := range []int{0, 1, 1000, -5} {
			checkPage(t, nil, expected, head, items, tail)
			for limit := range 250 {
				checkPage(t, &limit, expected, head, items, nil)
				checkPage(t, &limit, expected, head, items, tail)
				checkPage(t, &limit, expected, nil, items, nil)
			}
		}
	}
	var long []string
	for n := 1; n < 8<<20; n = n*3 + 1 {
		long = append(long, strings.Repeat(string(rune('a'+n%26)), n))
	}
	checkPage(t, nil, 0, nil, long, nil)
}

// TestPageMemory checks that memory grows seldom, only once if the size is known, and not beyond
// the limit except for rounding.
func TestPageMemory(t *testing.T) {
	line := []byte("12345")
	const lines = 1_000_000
	limit := 100_000
	for _, tt := range []struct {
		limit    *int
		expected int
		most     float64
	}{{nil, 0, 11}, {nil, lines * len("12345\n"), 3}, {&limit, 0, 30}} {
		allocs := testing.AllocsPerRun(3, func() {
			page, _ := NewPage(tool.Budget{MaxOutputBytes: tt.limit})
			page.Expect(tt.expected)
			for n := 0; n < lines && page.Add(line); n++ {
			}
			if held := page.text.Cap(); tt.limit != nil && held > limit+limit/4 {
				t.Errorf("a page of %d bytes holds %d", limit, held)
			}
		})
		if allocs > tt.most {
			t.Errorf("%d bytes expected: %v allocations", tt.expected, allocs)
		}
	}
}
