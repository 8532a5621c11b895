package ipynb

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// A brokenFile cannot be read from an offset on.
type brokenFile struct {
	*strings.Reader
	from int64
}

var errBroken = errors.New("broken")

func (f brokenFile) ReadAt(b []byte, at int64) (int, error) {
	n, err := f.Reader.ReadAt(b, at)
	if rest := f.from - at; int64(n) > rest {
		return int(max(rest, 0)), errBroken
	}
	return n, err
}

// TestReadError checks that an error of reading is not one of the content, wherever it happens.
func TestReadError(t *testing.T) {
	const content = `{"cells": [{"source": ["a\n\u00e9 \ud83d\ude00"], "execution_count": 17}]}`
	for from := range len(content) {
		d := newDecoder(t.Context(), brokenFile{strings.NewReader(content), int64(from)})
		d.skip()
		if d.err != errBroken {
			t.Errorf("broken from byte %d: %v", from, d.err)
		}
	}
	d := newDecoder(t.Context(), io.NewSectionReader(strings.NewReader(content), 0, 25))
	d.skip()
	const want = "is not a valid document: it ends early"
	if d.err == nil || d.err.Error() != want {
		t.Errorf("a cut file: %v, want %s", d.err, want)
	}
}
