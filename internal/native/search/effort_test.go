package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gander/internal/native/call"
	"gander/internal/native/results"
	"gander/internal/native/section"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
)

// TestTotals checks that a search continues counting when its page is full, up to a bound in files,
// bytes, matches and entries.
func TestTotals(t *testing.T) {
	if testing.Short() {
		t.Skip("searches thousands of files many times, which takes a minute under Wine")
	}
	root, limit := t.TempDir(), maxCounted
	tooltest.Write(t, root, "few/")
	for i := range limit.files + 200 {
		tooltest.Put(t, root, fmt.Sprintf("few/%04d", i), "few\n")
	}
	tooltest.Put(t, root, "many",
		tooltest.Many(limit.results+100, func(i int) string { return fmt.Sprint("some ", i) }))
	wide := slices.Repeat([]string{strings.Repeat("-", 1<<20-1) + "\n"}, int(limit.size>>20)+4)
	tooltest.Put(t, root, "wide", "wide\nwide\n"+strings.Join(wide, "")+"wide\n")
	numbers := strings.Fields(tooltest.Many(limit.results+200,
		func(i int) string { return fmt.Sprint("in", i) }))
	tooltest.Put(t, root, "line", strings.Join(numbers, " ")+"wide wide"+
		strings.Repeat("-", int(limit.size)+1<<20)+"wide\n")
	c := nativetest.Over(t, Tool, call.DefaultSettings(), root)
	for args, want := range map[string]string{
		`{"pattern":"few","path":"few"}`: "lines 1-100 of at least " +
			"2,100",
		`{"pattern":"few","path":"few","offset":250}`: "lines 250-349 of 2,200",
		`{"pattern":"few","path":"few","output":"files"}`: "files 1-100 of at least " +
			"2,100",
		`{"pattern":"few","path":"few","glob":"0*"}`: "lines 1-100 of 1,000",
		`{"pattern":"some"}`: "lines 1-100 of at least " +
			"50,100",
		`{"pattern":"some","output":"matches"}`: "texts 1-100 of at least " +
			"50,100",
		`{"pattern":"some .*","output":"matches"}`: "texts 1-100 of at least " +
			"50,100",
		`{"pattern":"some ..","output":"matches","limit":3}`:              "texts 1-3 of at least 50,004",
		`{"pattern":"wide.?","limit":1,"output":"matches","path":"line"}`: "texts 1-1 of at least 2",
		`{"pattern":"in","path":"line","output":"matches"}`:               "texts 1-100 of at least 50,101",
		`{"pattern":"in\\d+","path":"line","output":"matches"}`: "texts 1-100 of at least " +
			"50,101",
		`{"pattern":"wide.?","path":"line","offset":2,"output":"matches"}`: "texts 2-3 of 3",
	} {
		heading, _, _ := strings.Cut(tooltest.Output(c, args, -1), "\n")
		got, _, _ := strings.Cut(heading, "; continue")
		got = strings.NewReplacer("matching ", "", "matched ", "", " in 1 file", "").Replace(got)
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", args, got, want)
		}
	}
	s := textSearch{report: &results.Report{
		Page: &section.Page{Closed: true},
		Call: &call.Call{PathCount: 1},
	}}
	s.report.Totals.Visited = 10
	s.limitCounting() // from here on
	s.report.Totals.Visited += limit.entries - 1
	going := s.progress(0, false)
	s.report.Totals.Visited++
	if !going || s.progress(0, false) {
		t.Errorf("%d entries do not end the search", limit.entries)
	}
}
