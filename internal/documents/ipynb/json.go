package ipynb

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"gander/internal/documents"
)

// A decoder reads JSON in pieces, so that its memory does not depend on the size of strings, which
// contain images. It checks what it reads, but not the values that it skips.
type decoder struct {
	ctx  context.Context
	file documents.File
	r    *bufio.Reader
	at   int64 // of the next byte
	buf  []byte
}

func newDecoder(ctx context.Context, file documents.File) *decoder {
	d := &decoder{ctx: ctx, file: file, r: bufio.NewReaderSize(nil, 8<<10)}
	d.seek(0)
	return d
}

// seek continues at an offset.
func (d *decoder) seek(at int64) {
	d.at = at
	d.r.Reset(io.NewSectionReader(d.file, at, d.file.Size()-at))
}

func (d *decoder) invalid() error { return documents.Invalidf("no JSON at byte %d", d.at) }

// chunk returns the next bytes, at least one. They are valid until they are discarded.
func (d *decoder) chunk() ([]byte, error) {
	if d.r.Buffered() == 0 {
		if err := d.ctx.Err(); err != nil {
			return nil, err
		}
	}
	_, err := d.r.Peek(1)
	if err == io.EOF {
		return nil, documents.Invalidf("it ends early")
	}
	if err != nil {
		return nil, err
	}
	return d.r.Peek(d.r.Buffered())
}

func (d *decoder) discard(n int) {
	n, _ = d.r.Discard(n)
	d.at += int64(n)
}

// peek returns the next byte that is not white space.
func (d *decoder) peek() (byte, error) {
	for {
		b, err := d.chunk()
		if err != nil {
			return 0, err
		}
		rest := bytes.TrimLeft(b, " \t\r\n")
		d.discard(len(b) - len(rest))
		if len(rest) > 0 {
			return rest[0], nil
		}
	}
}

// accept reads the next byte if it is c, and reports whether it is.
func (d *decoder) accept(c byte) (bool, error) {
	next, err := d.peek()
	if err != nil || next != c {
		return false, err
	}
	d.discard(1)
	return true, nil
}

// expect reads c.
func (d *decoder) expect(c byte) error {
	ok, err := d.accept(c)
	if err == nil && !ok {
		err = d.invalid()
	}
	return err
}

// array reads an array. The function reads an element.
func (d *decoder) array(f func() error) error { return d.list('[', ']', f) }

// object reads an object. The function reads the value of a key.
func (d *decoder) object(f func(key string) error) error {
	return d.list('{', '}', func() error {
		key, err := d.short()
		if err == nil {
			err = d.expect(':')
		}
		if err != nil {
			return err
		}
		return f(key)
	})
}

func (d *decoder) list(first, last byte, f func() error) error {
	err := d.expect(first)
	if err != nil {
		return err
	}
	done, err := d.accept(last)
	for !done && err == nil {
		err = f()
		if err != nil {
			return err
		}
		done, err = d.accept(last)
		if err == nil && !done {
			err = d.expect(',')
		}
	}
	return err
}

// maxShort is the maximum length of a key and of a name.
const maxShort = 1 << 10

// short reads a string that is short, or the beginning of one that is not.
func (d *decoder) short() (string, error) {
	var s []byte
	err := d.string(func(b []byte) {
		s = append(s, b[:min(len(b), maxShort-len(s))]...)
	})
	return string(s), err
}

// string reads a string in chunks of whole characters.
func (d *decoder) string(f func([]byte)) error {
	err := d.expect('"')
	for err == nil {
		var b []byte
		b, err = d.chunk()
		if err != nil {
			return err
		}
		n := bytes.IndexAny(b, `"\`)
		switch {
		case n < 0:
			n = wholeCharacters(b)
		case n == 0 && b[0] == '"':
			d.discard(1)
			return nil
		case n == 0:
			err = d.escape(f)
			continue
		}
		d.buf = append(d.buf[:0], b[:n]...)
		d.discard(n)
		f(d.buf)
	}
	return err
}

// wholeCharacters returns the length of the prefix of b that does not end within a character. If
// that is empty, it returns len(b): then the input ends, or is not UTF-8.
func wholeCharacters(b []byte) int {
	for n := len(b) - 1; n > 0 && len(b)-n < utf8.UTFMax; n-- {
		if utf8.RuneStart(b[n]) && !utf8.FullRune(b[n:]) {
			return n
		}
	}
	return len(b)
}

// escape reads an escape sequence.
func (d *decoder) escape(f func([]byte)) error {
	b, err := d.r.Peek(2)
	if err != nil {
		return documents.Invalidf("it ends early")
	}
	const names, values = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if i := bytes.IndexByte([]byte(names), b[1]); i >= 0 {
		d.discard(2)
		f([]byte(values[i : i+1]))
		return nil
	}
	r, ok := d.unicode()
	if !ok {
		return d.invalid()
	}
	if utf16.IsSurrogate(r) {
		low, ok := d.unicode()
		r = utf16.DecodeRune(r, low)
		if ok && r == utf8.RuneError {
			f(utf8.AppendRune(nil, r))
			r = low
		}
	}
	f(utf8.AppendRune(nil, r))
	return nil
}

// unicode reads an escape sequence such as \u20ac, if one follows.
func (d *decoder) unicode() (rune, bool) {
	const length = len(`\u20ac`)
	b, err := d.r.Peek(length)
	if err != nil || string(b[:2]) != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:]), 16, 16)
	if err != nil {
		return 0, false
	}
	d.discard(length)
	return rune(n), true
}

// skip reads a value.
func (d *decoder) skip() error {
	depth := 0
	for {
		c, err := d.peek()
		if err != nil {
			return err
		}
		switch c {
		case '"':
			err = d.string(func([]byte) {})
		case '{', '[':
			depth++
			d.discard(1)
		case '}', ']':
			depth--
			d.discard(1)
		case ',', ':':
			if depth == 0 {
				return d.invalid()
			}
			d.discard(1)
		default:
			_, err = d.literal()
		}
		if err != nil {
			return err
		}
		if depth < 0 {
			return d.invalid()
		}
		if depth == 0 {
			return nil
		}
	}
}

// literal reads a number, true, false or null. It returns "" and reads nothing for other values.
func (d *decoder) literal() (string, error) {
	c, err := d.peek()
	if err != nil || c == '"' || c == '[' || c == '{' {
		return "", err
	}
	b, err := d.r.Peek(maxLiteral)
	if err != nil && err != io.EOF {
		return "", err
	}
	n := bytes.IndexAny(b, " \t\r\n,]}:\"[{")
	if n < 0 {
		n = len(b)
	}
	if n == 0 || n == maxLiteral {
		return "", d.invalid()
	}
	s := string(b[:n])
	d.discard(n)
	return s, nil
}

// maxLiteral is the maximum length of a number.
const maxLiteral = 1 << 10

// offsets reads an object, and returns the offsets of the values of some keys.
func (d *decoder) offsets(keys ...string) (map[string]int64, error) {
	at := map[string]int64{}
	err := d.object(func(key string) error {
		for _, k := range keys {
			if k == key {
				at[k] = d.at
			}
		}
		return d.skip()
	})
	return at, err
}
