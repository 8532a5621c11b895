package native

import (
	"fmt"
	"strings"
	"testing"
)

// TestTotals checks that a search counts on when its page is full, up to a bound in files, bytes and
// matches.
func TestTotals(t *testing.T) {
	if testing.Short() {
		t.Skip("makes thousands of files")
	}
	root := t.TempDir()
	write(t, root, "few/")
	for i := range countedFiles + 200 {
		put(t, root, fmt.Sprintf("few/%04d", i), "few\n")
	}
	put(t, root, "many", strings.Repeat("some\n", countedMatches+100))
	put(t, root, "wide", "wide\nwide\n"+strings.Repeat(strings.Repeat("-", 1<<20-1)+"\n", countedSize>>20+4)+"wide\n")
	c := toolOf(t, DefaultSettings(), "search_text", nil, root)
	for args, want := range map[string]string{
		`{"pattern":"few","path":"few"}`:                  "matching lines 1-100 of at least 2,100; continue with offset=101",
		`{"pattern":"few","path":"few","offset":250}`:     "matching lines 250-349 of 2,200; continue with offset=350",
		`{"pattern":"few","path":"few","output":"files"}`: "matching files 1-100 of at least 2,100; continue with offset=101",
		`{"pattern":"few","path":"few","glob":"0*"}`:      "matching lines 1-100 of at least 101; continue with offset=101",
		`{"pattern":"some"}`:                              "matching lines 1-100 of at least 50,100; continue with offset=101",
		`{"pattern":"some","output":"matches"}`:           "matches 1-100 of at least 50,100; continue with offset=101",
		`{"pattern":"wide","path":"wide","limit":1}`:      "matching lines 1-1 of at least 2; continue with offset=2",
	} {
		got, _, _ := strings.Cut(asked(c, args, -1), "\n")
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", args, got, want)
		}
	}
}
