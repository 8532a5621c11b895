package native

import (
	"bytes"
	"crypto/sha256"
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
	sum  [sha256.Size]byte // the checksum of a match
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

// bytes returns size bytes of the line at an offset, or fewer if the line ends before or the file
// has changed. size must be at most windowBytes. They are valid until the next call.
func (w *lineWindow) bytes(offset, size int64) ([]byte, error) {
	isRead := w.at <= offset && offset+size <= w.at+int64(len(w.text))
	if w.file != nil && !isRead {
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
	size := s.End - s.Start
	if w.file != nil && size > windowBytes {
		hash := sha256.New()
		_, err := io.Copy(hash, io.NewSectionReader(w.file, s.Start, size))
		return hash.Sum(w.sum[:0]), err
	}
	text, err := w.bytes(s.Start, size)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimSuffix(text, []byte("\r"))
	if len(text) >= len(w.sum) {
		w.sum = sha256.Sum256(text)
		text = w.sum[:]
	}
	return text, nil
}
