package plain

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/search/match"
)

// A sink keeps what an Output writes, perhaps in another goroutine.
type sink struct {
	mu   sync.Mutex
	text []byte
}

func (b *sink) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text = append(b.text, p...)
	return len(p), nil
}

func (b *sink) bytes() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text
}

// TestManySubmatches writes a line of which each character matches. The object is written while the
// matches are found, and it is whole even if finding them fails.
func TestManySubmatches(t *testing.T) {
	const n, each, atOnce = 1 << 17, 40, 128 << 10
	failure := errors.New("failure")
	for _, fails := range []bool{false, true} {
		var written sink
		out := New(&written, Options{JSON: true}, nil)
		l := search.Line{Number: 1, Text: bytes.Repeat([]byte("x"), n), Length: n}
		spans := func(yield func(match.Span, error) bool) {
			for i := range int64(n) {
				if size := int64(len(written.bytes())); i*each > size+n+atOnce {
					t.Errorf("%d bytes are written after %d matches", size, i)
					return
				}
				if !yield(match.Span{Start: i, End: i + 1}, nil) {
					return
				}
			}
			if fails {
				yield(match.Span{}, failure)
			}
		}
		err := out.json.line("x", l, spans)
		if (err != nil) != fails || fails && !errors.Is(err, failure) {
			t.Errorf("error %v", err)
		}
		if err := out.Close(); err != nil {
			t.Error(err)
		}
		for line := range bytes.Lines(written.bytes()) {
			if !json.Valid(line) {
				t.Errorf("%.100q", line)
			}
		}
	}
}

// TestMatchAfterEnd writes a line whose file became shorter after its matches were found.
func TestMatchAfterEnd(t *testing.T) {
	var written sink
	out := New(&written, Options{JSON: true}, nil)
	l := search.Line{Number: 1, Text: []byte("abc"), Length: 3}
	spans := func(yield func(match.Span, error) bool) {
		_ = yield(match.Span{Start: 1, End: 2}, nil) && yield(match.Span{Start: 2, End: 4}, nil)
	}
	if err := out.json.line("x", l, spans); err != nil {
		t.Error(err)
	}
	if err := out.Close(); err != nil {
		t.Error(err)
	}
	matches := bytes.Count(written.bytes(), []byte(`"match":{`))
	if matches != 1 || !json.Valid(bytes.SplitAfter(written.bytes(), []byte("\n"))[1]) {
		t.Errorf("%s", written.bytes())
	}
}

// TestUnwrittenLine prints a search of a file that is removed before its long line is written: "--"
// is where that line is missing, but not at the beginning.
func TestUnwrittenLine(t *testing.T) {
	long := "hit" + strings.Repeat("x", 1<<20)
	for text, want := range map[string]string{
		long + "\nx\nhit\n":        "3:hit\n",
		"hit\n" + long + "\nhit\n": "1:hit\n--\n3:hit\n",
	} {
		root := t.TempDir()
		path := filepath.Join(root, "f")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		w, err := workspace.Open(workspace.Options{}, root)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		start, err := w.Find(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := match.Compile(t.Context(), "hit", match.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var written sink
		out := New(&written, Options{}, nil)
		out.BeginSearch(false, true)
		failures := 0
		for r, err := range search.Search(t.Context(), w, start, m, search.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Line.Number == 0 { // the file
				continue
			}
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Skip("an open file cannot be removed")
			}
			if err := out.Line("f", r.Line); err != nil {
				failures++
			}
		}
		if err := out.Close(); err != nil {
			t.Error(err)
		}
		if got := string(written.bytes()); failures != 1 || got != want {
			t.Errorf("%d failures, written %q, want %q", failures, got, want)
		}
	}
}
