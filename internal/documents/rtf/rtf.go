// Package rtf reads RTF files.
package rtf

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"io"
	"strconv"

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
	r := &reader{in: in, w: newWriter(out)}
	err := r.read(ctx)
	r.w.endParagraph()
	if r.w.deleted {
		out.LeftOut()
	}
	return cmp.Or(err, out.Err())
}

// A reader reads the tokens of RTF: groups, control words and text.
type reader struct {
	in *bufio.Reader
	w  *writer
}

// Limits of RTF.
const (
	maxDepth = 1000 // groups in each other
	maxWord  = 32   // bytes of a control word, and of its number
)

func (r *reader) read(ctx context.Context) error {
	for n := 0; !r.w.ended; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		c, err := r.in.ReadByte()
		if err == io.EOF && len(r.w.groups) == 0 {
			return nil
		}
		if err == nil {
			err = r.token(c)
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return documents.Invalidf("it ends early")
		}
		err = cmp.Or(err, r.w.out.Err())
		if err != nil {
			return err
		}
	}
	return nil
}

// token reads the token that begins with a byte.
func (r *reader) token(c byte) error {
	switch c {
	case '{':
		if len(r.w.groups) == maxDepth {
			return documents.TooLargef("more than %d nested groups", maxDepth)
		}
		r.w.startGroup()
	case '}':
		r.w.endGroup()
	case '\\':
		return r.control()
	case '\r', '\n': // they are no text
	default:
		r.w.addByte(c)
	}
	return nil
}

// control reads what follows a backslash.
func (r *reader) control() error {
	c, err := r.in.ReadByte()
	switch {
	case err != nil:
		return err
	case c == '\'':
		return r.hexadecimal()
	case !isLetter(c):
		r.w.symbol(c)
		return nil
	}
	_ = r.in.UnreadByte()
	word, err := r.take(isLetter)
	if err != nil {
		return err
	}
	number, err := r.take(func(c byte) bool { return c == '-' || '0' <= c && c <= '9' })
	if err != nil {
		return err
	}
	if next, _ := r.in.Peek(1); string(next) == " " {
		_, _ = r.in.Discard(1)
	}
	n, _ := strconv.Atoi(number) // the nearest, if it is out of range
	n = min(max(n, -1<<30), 1<<30)
	if word == "bin" {
		_, err := io.CopyN(io.Discard, r.in, max(int64(n), 0))
		return err
	}
	r.w.word(word, n, number != "")
	return nil
}

// take reads the bytes that a function accepts.
func (r *reader) take(accepts func(byte) bool) (string, error) {
	var b []byte
	for len(b) < maxWord {
		next, err := r.in.Peek(1)
		if err == io.EOF || err == nil && !accepts(next[0]) {
			return string(b), nil
		}
		if err != nil {
			return "", err
		}
		b = append(b, next[0])
		_, _ = r.in.Discard(1)
	}
	return "", documents.Invalidf("a control word has more than %d bytes", maxWord)
}

// hexadecimal reads a byte of text in two digits.
func (r *reader) hexadecimal() error {
	var digits [2]byte
	_, err := io.ReadFull(r.in, digits[:])
	n, invalid := strconv.ParseUint(string(digits[:]), 16, 8)
	if err == nil && invalid == nil {
		r.w.addByte(byte(n))
	}
	return err
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
