package ipynb

import (
	"errors"
	"strings"
	"testing"

	"gander/internal/documents"
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
	read := func(file documents.File) error {
		r := newReader(t.Context(), &documents.Source{File: file}, file.Size())
		return r.cells(func() error { return r.value(new(cell)) })
	}
	for from := range len(content) {
		err := read(brokenFile{strings.NewReader(content), int64(from)})
		if !errors.Is(err, errBroken) {
			t.Errorf("broken from byte %d: %v", from, err)
		}
	}
	const want = "is not a valid document: it ends early"
	if err := read(strings.NewReader(content[:25])); err == nil || err.Error() != want {
		t.Errorf("a cut file: %v, want %s", err, want)
	}
}
