// Package rtf reads RTF files.
package rtf

import (
	"bufio"
	"bytes"
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
	r := &reader{
		ctx: ctx,
		in:  bufio.NewReaderSize(io.NewSectionReader(src, 0, src.Size()), 32<<10),
		w:   newWriter(out),
	}
	err := r.read()
	r.w.endParagraph()
	if r.w.deleted {
		out.Gap()
		out.Line([]byte("(deleted text of tracked changes is left out)"))
	}
	if err != nil {
		return err
	}
	return out.Err()
}

// A reader reads the tokens of RTF: groups, control words and text.
type reader struct {
	ctx context.Context
	in  *bufio.Reader
	w   *writer
}

// Limits of RTF.
const (
	maxDepth = 1000 // groups in each other
	maxWord  = 32   // bytes of a control word, and of its number
)

func (r *reader) read() error {
	for n := 0; ; n++ {
		if n%4096 == 0 {
			err := r.ctx.Err()
			if err != nil {
				return err
			}
		}
		c, err := r.in.ReadByte()
		switch {
		case err == io.EOF && len(r.w.groups) > 0:
			return documents.Invalidf("it ends early")
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		err = r.token(c)
		if err != nil || r.w.ended {
			return err
		}
		if r.w.out.Err() != nil {
			return r.w.out.Err()
		}
	}
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
		return early(err)
	case c == '\'':
		return r.hexadecimal()
	case !isLetter(c):
		r.w.symbol(c)
		return nil
	}
	word, err := r.take([]byte{c}, isLetter)
	if err != nil {
		return err
	}
	number, err := r.take(nil, func(c byte) bool { return c == '-' || '0' <= c && c <= '9' })
	if err != nil {
		return err
	}
	if next, _ := r.in.Peek(1); len(next) > 0 && next[0] == ' ' {
		_, _ = r.in.Discard(1)
	}
	n, given := parseNumber(number)
	if string(word) == "bin" {
		_, err := io.CopyN(io.Discard, r.in, max(int64(n), 0))
		return early(err)
	}
	r.w.word(string(word), n, given)
	return nil
}

// take reads the bytes that a function accepts, and adds them to b.
func (r *reader) take(b []byte, accepts func(byte) bool) ([]byte, error) {
	for len(b) < maxWord {
		next, err := r.in.Peek(1)
		if err == io.EOF || err == nil && !accepts(next[0]) {
			return b, nil
		}
		if err != nil {
			return nil, err
		}
		b = append(b, next[0])
		_, _ = r.in.Discard(1)
	}
	return nil, documents.Invalidf("a control word has more than %d bytes", maxWord)
}

// hexadecimal reads a byte of text in two digits.
func (r *reader) hexadecimal() error {
	var digits [2]byte
	_, err := io.ReadFull(r.in, digits[:])
	if err != nil {
		return early(err)
	}
	n, err := strconv.ParseUint(string(digits[:]), 16, 8)
	if err == nil {
		r.w.addByte(byte(n))
	}
	return nil
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// parseNumber returns the number of a control word, and whether there is one. It is at most 2^30.
func parseNumber(b []byte) (n int, given bool) {
	digits, negative := bytes.CutPrefix(b, []byte{'-'})
	for _, c := range digits {
		if c == '-' {
			break
		}
		n = min(n*10+int(c-'0'), 1<<30)
		given = true
	}
	if negative {
		n = -n
	}
	return n, given
}

func early(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return documents.Invalidf("it ends early")
	}
	return err
}
