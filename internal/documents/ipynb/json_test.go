package ipynb

import (
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
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

// TestWholeCharacters reads strings that the end of the buffer cuts at each place of a character.
func TestWholeCharacters(t *testing.T) {
	for n := 8180; n <= 8200; n++ {
		for _, end := range []string{"é漢😀", "漢", strings.Repeat("漢", 10_000)} {
			want := strings.Repeat("x", n) + end
			d := newDecoder(t.Context(), strings.NewReader(`"`+want+`"`))
			var got strings.Builder
			d.string(func(b []byte) {
				if !utf8.Valid(b) {
					t.Errorf("%d bytes before the characters: a piece %q", n, b)
				}
				got.Write(b)
			})
			if got.String() != want || d.err != nil {
				t.Errorf("%d bytes before the characters: another string, error %v", n, d.err)
			}
		}
	}
}
