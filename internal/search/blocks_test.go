package search_test

import (
	"fmt"
	"strings"
	"testing"

	"gander/internal/search"
	"gander/internal/testkit/fixture"
)

// kibibyte is a line of 1 KiB, so 1024 of them are a block.
var kibibyte = strings.Repeat("-", 1023) + "\n"

// TestLongLineAtEnd checks that the lines before a long last line have the right numbers, although
// it has no line feed.
func TestLongLineAtEnd(t *testing.T) {
	root := fixture.Make(t)
	const lines = 3 << 10
	write(t, root+"/f", strings.Repeat(kibibyte, lines)+"ab\n"+strings.Repeat("x", 100_000))
	got := open(t, root).transcript("ab", search.Options{Before: 2}, nil)
	short := kibibyte[:20]
	want := fmt.Sprintf("f\n%d:%s\n%d:%s\n%d:ab\n", lines-1, short, lines, short, lines+1)
	if got != want {
		t.Errorf("yielded %q, not %q", got, want)
	}
}

// TestContextAcrossNUL checks the context of matches where one block of a large file ends and the
// next has a NUL.
func TestContextAcrossNUL(t *testing.T) {
	root := fixture.Make(t)
	for _, workers := range []int{-1, 2} {
		tr, o := open(t, root), search.Options{Workers: workers, Before: 1}.Eager()
		write(t, root+"/f", strings.Repeat(kibibyte, 1024)+"ab\n\x00\n"+strings.Repeat(kibibyte, 2048))
		if got := tr.transcript("ab", o, nil); got != "" {
			t.Errorf("a match that a NUL hides: yielded %q", got)
		}

		content := strings.Repeat(kibibyte, 924) + "ab\n" + strings.Repeat(kibibyte, 50) + "\x00\n"
		write(t, root+"/f", content+strings.Repeat(kibibyte, 2048))
		o.After = 102
		got := tr.at("f").transcript("ab", o, nil)
		if !strings.Contains(got, "925:ab\n") || strings.Contains(got, "binary") {
			t.Errorf("no match behind the NUL: yielded %q", got)
		}
	}
}
