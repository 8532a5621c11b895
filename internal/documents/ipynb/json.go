package ipynb

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"gander/internal/documents"
	"gander/internal/files/text"
)

// A decoder reads JSON in pieces, so that its memory does not depend on the size of strings, which
// contain images. It checks what it reads, but not the values that it skips. After an error it
// reads nothing, and its methods return zero.
type decoder struct {
	ctx  context.Context // of the call that makes the decoder; functions that read a value share it
	file documents.File
	r    *bufio.Reader
	at   int64 // the offset of the next byte
	err  error
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

// fail ends the reading with err, if that is an error and none has ended it before.
func (d *decoder) fail(err error) { d.err = cmp.Or(d.err, err) }

func (d *decoder) invalid() { d.fail(documents.Invalidf("no JSON at byte %d", d.at)) }

// failRead is fail for an error of reading. The end of the file is too early.
func (d *decoder) failRead(err error) {
	if err == io.EOF {
		err = documents.Invalidf("it ends early")
	}
	d.fail(err)
}

// chunk returns the next bytes, at least one, which are valid until they are discarded. Only the
// end of the file can cut the first character.
func (d *decoder) chunk() []byte {
	if d.err != nil {
		return nil
	}
	b, _ := d.r.Peek(d.r.Buffered())
	if text.WholeCharacters(b) > 0 {
		return b
	}
	d.fail(d.ctx.Err())
	_, err := d.r.Peek(utf8.UTFMax)
	b, _ = d.r.Peek(d.r.Buffered())
	if err == io.EOF && len(b) > 0 {
		err = nil
	}
	d.failRead(err)
	if d.err != nil {
		return nil
	}
	return b
}

func (d *decoder) discard(n int) {
	n, _ = d.r.Discard(n)
	d.at += int64(n)
}

// peek returns the next byte that is not white space.
func (d *decoder) peek() byte {
	for {
		b := d.chunk()
		if len(b) == 0 {
			return 0
		}
		rest := bytes.TrimLeft(b, " \t\r\n")
		d.discard(len(b) - len(rest))
		if len(rest) > 0 {
			return rest[0]
		}
	}
}

// accept reads the next byte if it is c, and reports whether it is.
func (d *decoder) accept(c byte) bool {
	if d.peek() != c {
		return false
	}
	d.discard(1)
	return true
}

func (d *decoder) expect(c byte) {
	if !d.accept(c) {
		d.invalid()
	}
}

// array reads an array. The function reads an element.
func (d *decoder) array(f func()) { d.list('[', ']', f) }

// object reads an object. The function reads the value of a key.
func (d *decoder) object(f func(key string)) {
	d.list('{', '}', func() {
		key := d.short()
		d.expect(':')
		if d.err == nil {
			f(key)
		}
	})
}

func (d *decoder) list(first, last byte, f func()) {
	d.expect(first)
	done := d.accept(last)
	for !done && d.err == nil {
		f()
		done = d.accept(last)
		if !done {
			d.expect(',')
		}
	}
}

// maxShort is the maximum length of a key and of a name.
const maxShort = 1 << 10

// short reads a string that is short, or the beginning of one that is not.
func (d *decoder) short() string {
	var s []byte
	d.string(func(b []byte) {
		s = append(s, b[:min(len(b), maxShort-len(s))]...)
	})
	return string(s)
}

// string reads a string in chunks of whole characters.
func (d *decoder) string(f func([]byte)) {
	d.expect('"')
	for {
		b := d.chunk()
		n := bytes.IndexAny(b, `"\`)
		switch {
		case len(b) == 0:
			return
		case n < 0:
			n = cmp.Or(text.WholeCharacters(b), len(b)) // the end of the file can cut a character
		case n == 0 && b[0] == '"':
			d.discard(1)
			return
		case n == 0:
			d.escape(f)
			continue
		}
		d.buf = append(d.buf[:0], b[:n]...)
		d.discard(n)
		f(d.buf)
	}
}

// escape reads an escape sequence. A carriage return before a line feed is nothing.
func (d *decoder) escape(f func([]byte)) {
	b, err := d.r.Peek(2)
	if err != nil {
		d.failRead(err)
		return
	}
	const names, values = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if i := bytes.IndexByte([]byte(names), b[1]); i >= 0 {
		d.discard(2)
		next, _ := d.r.Peek(2)
		isLineEnd := values[i] == '\r' && string(next) == `\n` // which the line feed alone stands for
		if !isLineEnd {
			f([]byte(values[i : i+1]))
		}
		return
	}
	r, ok := d.unicode()
	if !ok {
		d.invalid()
		return
	}
	for utf16.IsSurrogate(r) {
		low, ok := d.unicode()
		pair := utf16.DecodeRune(r, low)
		r = pair
		if ok && pair == utf8.RuneError { // the second can begin a pair
			f(utf8.AppendRune(nil, pair))
			r = low
		}
	}
	f(utf8.AppendRune(nil, r))
}

// unicode reads an escape sequence such as \u20ac, if one follows.
func (d *decoder) unicode() (rune, bool) {
	const length = len(`\u20ac`)
	b, err := d.r.Peek(length)
	if err != nil && err != io.EOF {
		d.fail(err)
	}
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
func (d *decoder) skip() {
	for depth := 0; d.err == nil; {
		switch d.peek() {
		case '"':
			d.string(func([]byte) {})
		case '{', '[':
			depth++
			d.discard(1)
		case '}', ']':
			depth--
			d.discard(1)
		case ',', ':':
			if depth == 0 {
				d.invalid()
			}
			d.discard(1)
		default:
			d.literal()
		}
		if depth < 0 {
			d.invalid()
		}
		if depth == 0 {
			return
		}
	}
}

// literal reads a number, true, false or null. It returns "" and reads nothing for other values.
func (d *decoder) literal() string {
	isOther := strings.IndexByte(`"[{`, d.peek()) >= 0
	if d.err != nil || isOther {
		return ""
	}
	b, err := d.r.Peek(maxLiteral)
	if err != nil && err != io.EOF {
		d.fail(err)
		return ""
	}
	n := bytes.IndexAny(b, " \t\r\n,]}:\"[{")
	if n < 0 {
		n = len(b)
	}
	if n == 0 || n == maxLiteral {
		d.invalid()
		return ""
	}
	s := string(b[:n])
	if !isLiteral(s) {
		d.invalid()
		return ""
	}
	d.discard(n)
	return s
}

// isLiteral reports whether s is a number, or a word. Python also writes NaN and Infinity.
func isLiteral(s string) bool {
	switch strings.TrimPrefix(s, "-") {
	case "true", "false", "null", "NaN", "Infinity":
		return true
	}
	return strings.Trim(s, "+-.0123456789eE") == ""
}

// maxLiteral is the maximum length of a number.
const maxLiteral = 1 << 10
