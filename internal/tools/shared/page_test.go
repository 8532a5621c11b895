package shared

import (
	"fmt"
	"strings"
	"testing"
)

func notice(shown int) string {
	return fmt.Sprintf("[cut; continue with offset=%d]", shown+1) // 29 bytes if the offset has one digit
}

func TestPageText(t *testing.T) {
	head, tail := []string{"Directory:"}, []string{"", "(2 ignored)"}
	for _, c := range []struct {
		name              string
		limit             int
		head, items, tail []string
		want              string // empty if the limit is too small
	}{
		{"no limit", 0, head, []string{"a", "b"}, tail, "Directory:\na\nb\n\n(2 ignored)"},
		{"negative limit", -1, head, []string{"a"}, nil, "Directory:\na"},
		{"just complete", 27, head, []string{"a", "b"}, tail, "Directory:\na\nb\n\n(2 ignored)"},
		{"one byte short", 26, head, []string{"a", "b"}, tail, ""},
		{"head alone", 10, head, nil, nil, "Directory:"},
		{"head alone is too long", 9, head, nil, nil, ""},
		{"items alone", 3, nil, []string{"a", "b"}, nil, "a\nb"},
		{"empty lines", 2, nil, []string{"", "", ""}, nil, "\n\n"},
		{
			"cut for the tail", 44, head,
			[]string{"a", "b"},
			[]string{strings.Repeat("t", 40)},
			"Directory:\na\nb\n[cut; continue with offset=3]",
		},
		{
			"the notice costs an item", 43, head,
			[]string{"a", "b"},
			[]string{strings.Repeat("t", 40)},
			"Directory:\na\n[cut; continue with offset=2]",
		},
		{"no item left", 41, head, []string{"a", "b"}, []string{strings.Repeat("t", 40)}, ""},
		{
			"a long item ends the page", 60, head,
			[]string{"a", strings.Repeat("b", 60), "c"},
			nil,
			"Directory:\na\n[cut; continue with offset=2]",
		},
		{
			"items of several lines stay whole", 45, head,
			[]string{"a\nb", strings.Repeat("c\n", 20)},
			nil,
			"Directory:\na\nb\n[cut; continue with offset=2]",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, expected := range []int{0, 1, 1000, -5} {
				page := newPage(c.limit)
				page.Expect(expected)
				fillPage(page, c.head, c.items, c.tail)
				got, ok := page.finish(notice)
				if got != c.want || ok != (c.want != "") {
					t.Errorf("%d bytes expected: got %q, %t, want %q", expected, got, ok, c.want)
				}
			}
		})
	}
}

func TestEmptyPage(t *testing.T) {
	if got, ok := newPage(5).finish(notice); got != "" || !ok {
		t.Errorf("got %q, %t, want an empty complete answer", got, ok)
	}
}

func TestPageStopsItsProducer(t *testing.T) {
	page := newPage(100)
	page.Line("Directory:")
	taken := 0
	for page.Add(fmt.Appendf(nil, "entry %d", taken)) {
		taken++
		if taken > 100 {
			t.Fatal("a page of 100 bytes takes 100 entries")
		}
	}
	if page.Add(nil) {
		t.Error("a page took a line after one that did not fit")
	}
	if held := page.text.Len(); held > 100 {
		t.Errorf("a page of 100 bytes holds %d", held)
	}
}

func TestPageGrows(t *testing.T) {
	page := newPage(0)
	var want []string
	for n := 1; n < 100*largeMemory; n = n*3 + 1 {
		line := strings.Repeat(string(rune('a'+n%26)), n)
		want = append(want, line)
		page.Add([]byte(line))
	}
	if got, ok := page.finish(notice); got != strings.Join(want, "\n") || !ok {
		t.Errorf("a page of %d bytes is not its lines; %t", len(got), ok)
	}
}

// TestPageMemory checks that memory grows seldom, only once if the size is known, and not beyond the limit except for
// rounding.
func TestPageMemory(t *testing.T) {
	line := []byte("12345")
	const lines = 1_000_000
	for _, c := range []struct {
		limit, expected int
		most            float64
	}{{0, 0, 11}, {0, lines * len("12345\n"), 3}, {100_000, 0, 30}} {
		allocs := testing.AllocsPerRun(3, func() {
			page := newPage(c.limit)
			page.Line("Directory:")
			page.Expect(c.expected)
			for n := 0; n < lines && page.Add(line); n++ {
			}
			if held := page.text.Cap(); c.limit > 0 && held > c.limit+c.limit/4 {
				t.Errorf("a page of %d bytes holds %d", c.limit, held)
			}
		})
		if allocs > c.most {
			t.Errorf("%+v: %v allocations", c, allocs)
		}
	}
}

func FuzzPage(f *testing.F) {
	f.Add(45, "Directory:", "a,b,c", "More than 3 entries found")
	f.Add(38, "", strings.Repeat("name,", 20), "")
	f.Add(100, "Directory:", strings.Repeat("name,", 20), "")
	f.Add(0, "one,two", "a,b", "t,u")
	f.Add(3, "", ",,,", "")
	f.Fuzz(func(t *testing.T, limit int, head, items, tail string) {
		heads, entries, tails := fields(head), fields(items), fields(tail)
		page := newPage(limit)
		fillPage(page, heads, entries, tails)
		got, ok := page.finish(notice)
		want, wantOK := wholePage(limit, heads, entries, tails)
		if got != want || ok != wantOK {
			t.Errorf("got %q, %t, want %q, %t", got, ok, want, wantOK)
		}
	})
}

func fields(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

func fillPage(page *Page, head, items, tail []string) {
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
}

// wholePage does what a Page does, with all lines at hand.
func wholePage(limit int, head, items, tail []string) (string, bool) {
	answer := strings.Join(append(append(append([]string{}, head...), items...), tail...), "\n")
	if limit <= 0 || len(answer) <= limit {
		return answer, true
	}
	for shown := len(items); shown > 0; shown-- {
		lines := append(append([]string{}, head...), items[:shown]...)
		if cut := strings.Join(append(lines, notice(shown)), "\n"); len(cut) <= limit {
			return cut, true
		}
	}
	return "", false
}
