// Package rtf reads RTF files.
package rtf

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"io"
	"strconv"

	"golang.org/x/text/encoding"

	"gander/internal/documents"
)

// Format is the format RTF.
var Format documents.Format = format{}

type format struct{}

// Recognize implements [documents.Format].
func (format) Recognize(_ context.Context, src *documents.Source) (bool, error) {
	return bytes.HasPrefix(src.Head, []byte(`{\rtf`)), nil
}

// Write implements [documents.Format].
func (format) Write(ctx context.Context, src *documents.Source, out *documents.Writer) error {
	in := bufio.NewReaderSize(io.NewSectionReader(src, 0, src.Size()), 32<<10)
	w := &writer{in: in, out: out, page: pages[1252], fonts: map[int]encoding.Encoding{}}
	w.inline.Out = w.write
	err := w.read(ctx)
	w.endParagraph()
	if w.deleted {
		out.LeftOut()
	}
	return cmp.Or(err, out.Err())
}

// Limits of RTF.
const (
	maxDepth = 1000 // groups in each other
	maxWord  = 32   // bytes of a control word, and of its number
)

// read reads the tokens of RTF: groups, control words and text.
func (w *writer) read(ctx context.Context) error {
	for n := 0; !w.ended; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		c, err := w.in.ReadByte()
		if err == io.EOF && len(w.groups) == 0 {
			return nil
		}
		if err == nil {
			err = w.token(c)
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return documents.Invalidf("it ends early")
		}
		err = cmp.Or(err, w.out.Err())
		if err != nil {
			return err
		}
	}
	return nil
}

// token reads the token that begins with a byte.
func (w *writer) token(c byte) error {
	switch c {
	case '{':
		if len(w.groups) == maxDepth {
			return documents.TooLargef("more than %d nested groups", maxDepth)
		}
		w.startGroup()
	case '}':
		w.endGroup()
	case '\\':
		return w.control()
	case '\r', '\n': // they are no text
	default:
		w.addByte(c)
	}
	return nil
}

// control reads what follows a backslash.
func (w *writer) control() error {
	c, err := w.in.ReadByte()
	switch {
	case err != nil:
		return err
	case c == '\'':
		return w.hexadecimal()
	case !isLetter(c):
		w.symbol(c)
		return nil
	}
	_ = w.in.UnreadByte()
	word, err := w.take(isLetter)
	if err != nil {
		return err
	}
	number, err := w.take(func(c byte) bool { return c == '-' || '0' <= c && c <= '9' })
	if err != nil {
		return err
	}
	if next, _ := w.in.Peek(1); string(next) == " " {
		_, _ = w.in.Discard(1)
	}
	n, _ := strconv.Atoi(number) // the nearest, if it is out of range
	n = min(max(n, -1<<30), 1<<30)
	if word == "bin" {
		_, err := io.CopyN(io.Discard, w.in, max(int64(n), 0))
		return err
	}
	w.word(word, n, number != "")
	return nil
}

// take reads the bytes that a function accepts.
func (w *writer) take(accepts func(byte) bool) (string, error) {
	var b []byte
	for len(b) < maxWord {
		next, err := w.in.Peek(1)
		if err == io.EOF || err == nil && !accepts(next[0]) {
			return string(b), nil
		}
		if err != nil {
			return "", err
		}
		b = append(b, next[0])
		_, _ = w.in.Discard(1)
	}
	return "", documents.Invalidf("a control word has more than %d bytes", maxWord)
}

// hexadecimal reads a byte of text in two digits.
func (w *writer) hexadecimal() error {
	var digits [2]byte
	_, err := io.ReadFull(w.in, digits[:])
	n, invalid := strconv.ParseUint(string(digits[:]), 16, 8)
	if err == nil && invalid == nil {
		w.addByte(byte(n))
	}
	return err
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
