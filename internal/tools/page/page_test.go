package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gander/tool"
)

// fillPage returns the finished page with these lines.
func fillPage(limit *int, head, items, tail []string) (tool.Result, error) {
	page := New(tool.Budget{MaxOutputBytes: limit})
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
	whole := strings.Join(slices.Concat(head, items, tail), "\n")
	if limit == nil {
		return whole
	}
	if *limit > 0 && len(whole) <= *limit {
		return whole
	}
	for shown := len(items); shown > 0; shown-- {
		notice := "[gander: output limit of %d bytes reached; continue at %d]"
		notices := []string{fmt.Sprintf(notice, *limit, shown+1)}
		text := strings.Join(slices.Concat(head, items[:shown], notices), "\n")
		if len(text) <= *limit {
			return text
		}
	}
	return ""
}

// TestPage compares pages under every budget with wantPage.
func TestPage(t *testing.T) {
	head, tail := []string{"Directory:"}, []string{"", strings.Repeat("t", 70)}
	check := func(limit *int, head, items, tail []string) {
		got, err := fillPage(limit, head, items, tail)
		want, whole := wantPage(limit, head, items, tail), wantPage(nil, head, items, tail)
		if err != nil {
			isEmpty := whole == "" && *limit > 0
			isAboutLimit := strings.Contains(err.Error(), "is too small for any answer; raise it")
			if want != "" || isEmpty || !isAboutLimit {
				t.Errorf("limit %d: %v, want %q", *limit, err, want)
			}
			return
		}
		isCut := want != whole
		if got.Text() != want || got.Truncated != isCut {
			t.Errorf("got %q, truncated %v, want %q", got.Text(), got.Truncated, want)
		}
	}
	for _, items := range [][]string{
		nil,
		{""},
		{"a", "b"},
		{"", "", ""},
		{"a", strings.Repeat("b", 90), "c"},
		{"a\nb", strings.Repeat("c\n", 20)},
		strings.Split(strings.Repeat("name,", 20), ","),
	} {
		check(nil, head, items, tail)
		for limit := range 250 {
			check(&limit, head, items, nil)
			check(&limit, head, items, tail)
			check(&limit, nil, items, nil)
		}
	}
}

// TestMaxBytes checks that zero means no limit, and only that.
func TestMaxBytes(t *testing.T) {
	for _, tt := range []struct {
		limit *int
		want  int
	}{{nil, 0}, {new(0), 1}, {new(-1), 1}, {new(7), 7}} {
		if got := MaxBytes(tool.Budget{MaxOutputBytes: tt.limit}); got != tt.want {
			t.Errorf("got %d, want %d", got, tt.want)
		}
	}
}
