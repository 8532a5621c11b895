package native

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"io"

	"gander/internal/search"
	"gander/internal/search/match"
)

const windowBytes = 64 << 10

// A lineWindow reads a line of any length from left to right.
type lineWindow struct {
	text []byte            // a part of the line
	at   int64             // its offset in the line
	file *io.SectionReader // nil if the text is the whole line
	buf  []byte
	hash hash.Hash
	sum  [sha256.Size]byte
}

// begin begins a line.
func (w *lineWindow) begin(l search.Line) (err error) {
	w.text, w.at, w.file = l.Text, 0, nil
	if l.Whole() {
		return nil
	}
	w.text = nil
	w.file, err = l.Open()
	return err
}

// bytes returns size bytes of the line at an offset, or fewer if the line ends before or the file has
// changed. size must be at most windowBytes. They are valid until the next call.
func (w *lineWindow) bytes(offset, size int64) ([]byte, error) {
	if w.file != nil && (offset < w.at || offset+size > w.at+int64(len(w.text))) {
		if w.buf == nil {
			w.buf = make([]byte, windowBytes)
		}
		n, err := w.file.ReadAt(w.buf, offset)
		if err != nil && err != io.EOF {
			return nil, err
		}
		w.text, w.at = w.buf[:n], offset
	}
	rest := w.text[offset-w.at:]
	return rest[:min(size, int64(len(rest)))], nil
}

// key returns the text of a match if it is short, and otherwise its hash. It is valid until the
// next call.
func (w *lineWindow) key(s match.Span) ([]byte, error) {
	text, err := w.bytes(s.Start, min(s.End-s.Start, windowBytes))
	if err != nil {
		return nil, err
	}
	if s.End-s.Start <= windowBytes {
		text = bytes.TrimSuffix(text, []byte("\r"))
		s.End = s.Start + int64(len(text))
	}
	if s.End-s.Start < int64(len(w.sum)) {
		return text, nil
	}
	if w.hash == nil {
		w.hash = sha256.New()
	}
	w.hash.Reset()
	for len(text) > 0 {
		w.hash.Write(text)
		s.Start += int64(len(text))
		text, err = w.bytes(s.Start, min(s.End-s.Start, windowBytes))
		if err != nil {
			return nil, err
		}
	}
	return w.hash.Sum(w.sum[:0]), nil
}
