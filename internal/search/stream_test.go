package search_test

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"gander/internal/search"
	"gander/internal/testkit/fixture"
)

// TestReader checks that the text of a reader has the same lines and matches as a file with the
// same bytes.
func TestReader(t *testing.T) {
	root := fixture.Make(t)
	tr := open(t, root).at("f")
	described := func(results iter.Seq2[search.Result, error]) (lines []string) {
		for r, err := range results {
			if err != nil {
				t.Fatal(err)
			}
			if l := r.Line; l.Number > 0 {
				line := fmt.Sprintf("%d at %d: %v, %.100q", l.Number, l.Offset, spans(t, l, 9), l.Text)
				lines = append(lines, line)
			}
		}
		return lines
	}
	const mark = "\xef\xbb\xbf"
	for _, content := range []string{
		"ab here\nnone\nab\n", mark + "ab\n", mark + "\xff\xfeab here\nab\n",
		mark + mark + strings.Repeat("-", 70_000) + "ab\nab\n", "\xff\xfea\x00b\x00\n\x00",
	} {
		write(t, root+"/f", content)
		read := int64(0)
		o := search.Options{After: 1, Progress: func(size int64, _ bool) bool {
			read += size
			return true
		}}
		in := strings.NewReader(content)
		got := described(search.SearchReader(t.Context(), in, mustCompile(t, "ab"), o))
		if read == 0 {
			t.Errorf("%.20q: Progress was called with no size", content)
		}
		want := described(tr.search(t.Context(), "ab", o))
		if d := difference(got, want); d != "" || len(want) == 0 {
			t.Errorf("%.20q: of the reader, %s", content, d)
		}
	}
}

// TestReaderContext checks that the context before a match can be read, also if its lines are long
// and have been read long before.
func TestReaderContext(t *testing.T) {
	long, short := strings.Repeat("-", 70_000)+"\n", strings.Repeat("-", 50_000)+"\n"
	for before, content := range map[int]string{
		1: long + "ab\n", 4: long + short + short + short + "ab\n", 50: strings.Repeat(short, 50) + "ab\n",
	} {
		in, o := strings.NewReader(content), search.Options{Before: before}
		var got strings.Builder
		for r, err := range search.SearchReader(t.Context(), in, mustCompile(t, "ab"), o) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Line.Number > 0 {
				got.Write(readLine(t, r.Line))
				got.WriteByte('\n')
			}
		}
		if got.String() != content {
			t.Errorf("%d lines before: %d bytes of %d", before, got.Len(), len(content))
		}
	}
}

// An endless reader has one line, which matches from the beginning.
type endless struct{ read int }

func (e *endless) Read(b []byte) (int, error) {
	e.read += len(b)
	if e.read > 1<<20 {
		return 0, errors.New("too much is read")
	}
	return copy(b, strings.Repeat("ab", len(b)/2)), nil
}

// TestEndlessLine checks that a search for names reads no further than a match.
func TestEndlessLine(t *testing.T) {
	found := 0
	names := search.Options{Output: search.Names}
	for _, err := range search.SearchReader(t.Context(), new(endless), mustCompile(t, "ab"), names) {
		if err != nil {
			t.Fatal(err)
		}
		found++
	}
	if found != 1 {
		t.Errorf("%d results", found)
	}
}

// TestTwice checks that a sequence of results can be ranged over twice, and that the second search
// knows nothing of the first.
func TestTwice(t *testing.T) {
	root := fixture.Make(t)
	write(t, root+"/x", "ab\n")
	results := open(t, root).at("x").search(t.Context(), "ab", search.Options{Output: search.Names})
	paths := func() (paths []string) {
		for r, err := range results {
			if err != nil {
				t.Fatal(err)
			}
			paths = append(paths, r.Path)
		}
		return paths
	}
	if got := paths(); !slices.Equal(got, []string{""}) {
		t.Errorf("a file: %q", got)
	}
	if err := errors.Join(os.Remove(root+"/x"), os.Mkdir(root+"/x", 0o700)); err != nil {
		t.Fatal(err)
	}
	write(t, root+"/x/binary", "\x00\nab\n")
	write(t, root+"/x/text", "ab\n")
	if got := paths(); !slices.Equal(got, []string{"text"}) {
		t.Errorf("the directory that has replaced it: %q", got)
	}
}
