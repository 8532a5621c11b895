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

// TestWholeResults checks that results are whole if those of a page are few.
func TestWholeResults(t *testing.T) {
	root := t.TempDir()
	line := func(n int) string { return "<" + strings.Repeat("x", n-2) + ">\n" }
	for name, text := range map[string]string{
		"one": line(wholeLine), "longer": line(wholeLine + 1),
		"three": strings.Repeat(line(wholeLine), 3),
		"four":  strings.Repeat(line(wholeLine), 4), "many": strings.Repeat("<\n", 90) + line(1000),
		"near": line(longLine + 2)[1:] + line(longLine+2) + line(longLine + 2)[1:],
		"crlf": strings.ReplaceAll(line(wholeLine), "\n", "\r\n"),
	} {
		tooltest.Put(t, root, name, text)
	}
	c := nativetest.Over(t, Tool, call.DefaultSettings(), root)
	for _, tt := range []struct {
		path  string
		limit int // bytes
		cut   int // lines
		more  string
	}{
		{"one", -1, 0, ""},
		{"longer", -1, 1, ""},
		{"three", -1, 0, ""},
		{"four", -1, 4, ""},
		{"four", -1, 0, `,"limit":3`},
		{"four", -1, 0, `,"offset":2`},
		{"many", -1, 0, ""},
		{"near", -1, 2, `,"context":1`},
		{"crlf", -1, 0, ""},
		{"three", 5000, 3, ""},
		{"one", 2100, 0, ""},
		{"one\nlonger\nthree", -1, 1, ""},
	} {
		for _, kind := range []string{"lines", "matches"} {
			if kind == "matches" && (tt.path == "three" || tt.path == "four" || tt.path == "near") {
				continue // equal, or not matches
			}
			pattern := "<x*>?"
			args := fmt.Sprintf(`{"pattern":%q,"path":%q,"output":%q%s}`, pattern, tt.path, kind, tt.more)
			got := tooltest.Output(c, args, tt.limit)
			n := strings.Count(got, "; read_file path=")
			if n != tt.cut || tt.limit >= 0 && len(got) > tt.limit {
				t.Errorf("%s, %d bytes: %d lines are cut, want %d:\n%s", args, tt.limit, n, tt.cut, got)
			}
		}
	}
}

// TestGaps checks that lines of a file that are not adjacent are separated, and only these.
func TestGaps(t *testing.T) {
	for seed := range 4 {
		r := rand.New(rand.NewPCG(uint64(seed), 4))
		root := t.TempDir()
		hits := 0
		for _, name := range []string{"a", "b", "c", "d"} {
			tooltest.Put(t, root, name, tooltest.Many(r.IntN(200), func(int) string {
				word := []string{"hit", "", "--", "a", "a", "a", "a", "a"}[r.IntN(8)]
				hits += strings.Count(word, "hit")
				return word
			}))
		}
		c := nativetest.Over(t, Tool, call.DefaultSettings(), root)
		for around := range 5 {
			found := 0
			for offset := 1; offset <= hits; {
				args := fmt.Sprintf(`{"pattern":"hit","context":%d,"offset":%d,"limit":%d}`,
					around, offset, 1+r.IntN(30))
				n := checkGaps(t, args, tooltest.Output(c, args, []int{500, 5000}[r.IntN(2)]))
				found, offset = found+n, offset+max(n, 1)
			}
			if found != hits {
				t.Errorf("context %d: %d matches, not %d", around, found, hits)
			}
		}
	}
}

// checkGaps checks the marks in a result, and returns the number of its matching lines.
func checkGaps(t *testing.T, args, result string) (found int) {
	t.Helper()
	heading, body, _ := strings.Cut(result, "\n")
	marked := !strings.Contains(args+heading, `"context":0`) && !strings.Contains(heading, "context=0")
	last, gap := 0, false
	for _, line := range append(strings.Split(body, "\n"), "") {
		label, _, isLine := strings.Cut(line, "\t")
		number, _ := strconv.Atoi(strings.TrimSuffix(label, "-"))
		switch {
		case line == gapMark && !gap && last > 0:
			gap = true
			continue
		case isLine && gap == (marked && last > 0 && number > last+1):
			found += 1 - strings.Count(label, "-")
		case isLine, gap: // a mark at the end, or one too many
			t.Errorf("%s: %q after line %d in\n%s", args, line, last, result)
		}
		last, gap = number, false
	}
	return found
}

// TestSmallBudgets checks that a page has as many results as fit, and that a budget without room
// for one is an error.
func TestSmallBudgets(t *testing.T) {
	root := t.TempDir()
	tooltest.Put(t, root, "f",
		tooltest.Many(30, func(i int) string { return fmt.Sprintf("hit%97d", i) }))
	c := nativetest.Over(t, Tool, call.DefaultSettings(), root)
	for _, kind := range []string{"lines", "matches"} {
		args := fmt.Sprintf(`{"pattern":"hit.*","output":%q`, kind)
		for n := 4; n < 12; n++ { // fewer have cut lines
			want := tooltest.Output(c, fmt.Sprintf(`%s,"limit":%d}`, args, n), -1)
			if got := tooltest.Output(c, args+"}", len(want)); got != want {
				t.Errorf("%s:\n%s\nwant\n%s", kind, got, want)
			}
		}
		fits := false
		step := 1
		if testing.Short() {
			step = 13
		}
		for limit := 0; limit < 400; limit += step {
			_, ok := tooltest.CallTwice(c, args+"}", limit)
			if fits && !ok {
				t.Errorf("%s: %d bytes are too few", kind, limit)
			}
			fits = ok
		}
		if !fits {
			t.Errorf("%s: no result fits", kind)
		}
	}
}

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
