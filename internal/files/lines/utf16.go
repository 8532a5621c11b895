package lines

import (
	"context"
	"fmt"
	"io"
	"sort"
	"unicode/utf16"
	"unicode/utf8"
)

// unitBlock is the size of a decoded block, in bytes of the file.
const unitBlock = 32 << 10

// A UTF16 reads a file in UTF-16 as UTF-8, without the byte order mark. It decodes one block at a
// time. Lone surrogates and an incomplete unit at the end become U+FFFD. If the file changes, its
// text is undefined, but no method reads beyond Size. A UTF16 is not safe for concurrent use.
type UTF16 struct {
	file   io.ReaderAt
	size   int64 // of the file
	big    bool
	starts []int64 // the offsets of the blocks in the text, and the size of the text

	block int // the decoded block, or -1
	raw   []byte
	text  []byte
}

var _ io.ReaderAt = (*UTF16)(nil)

// NewUTF16 reads a file of size bytes that begins with a byte order mark. The error is the error of
// reading the file or of ctx.
func NewUTF16(ctx context.Context, file io.ReaderAt, size int64) (*UTF16, error) {
	u := &UTF16{file: file, size: size, block: -1, starts: []int64{0}}
	var mark [2]byte
	if _, err := file.ReadAt(mark[:], 0); err != nil && err != io.EOF {
		return nil, fmt.Errorf("read at byte 0: %w", err)
	}
	u.big = mark[0] == 0xfe
	for i := range int((size + unitBlock - 1) / unitBlock) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := u.decode(i); err != nil {
			return nil, err
		}
		u.starts = append(u.starts, u.starts[i]+int64(len(u.text)))
	}
	return u, nil
}

// Size returns the size of the text.
func (u *UTF16) Size() int64 { return u.starts[len(u.starts)-1] }

// ReadAt implements [io.ReaderAt].
func (u *UTF16) ReadAt(b []byte, offset int64) (n int, err error) {
	for n < len(b) {
		at := offset + int64(n)
		i := sort.Search(len(u.starts), func(i int) bool { return u.starts[i] > at }) - 1
		if at < 0 || i == len(u.starts)-1 {
			return n, io.EOF
		}
		if i != u.block {
			if err := u.decode(i); err != nil {
				return n, err
			}
		}
		text := u.text[:min(int64(len(u.text)), u.starts[i+1]-u.starts[i])]
		skip := at - u.starts[i]
		if skip >= int64(len(text)) {
			return n, io.EOF // the file has changed
		}
		n += copy(b[n:], text[skip:])
	}
	return n, nil
}

// decode decodes a block. A surrogate pair belongs to the block that it begins in.
func (u *UTF16) decode(block int) error {
	const unit = 2
	first := int64(block) * unitBlock
	last := min(first+unitBlock, u.size)
	before := min(first, unit)
	if cap(u.raw) == 0 {
		u.raw = make([]byte, unitBlock+2*unit)
		u.text = make([]byte, 0, unitBlock/unit*3)
	}
	raw := u.raw[:min(last+unit, u.size)-(first-before)]
	n, err := u.file.ReadAt(raw, first-before)
	if err != nil && err != io.EOF {
		u.block = -1
		return fmt.Errorf("read at byte %d: %w", first, err)
	}
	raw = raw[:n]
	at, end := int(before), min(n, int(before+last-first))
	if block == 0 {
		at = min(unit, n) // the byte order mark
	} else if n >= 2*unit && utf16.DecodeRune(u.unit(raw), u.unit(raw[unit:])) != utf8.RuneError {
		at += unit
	}
	text := u.text[:0]
	for at < end {
		r := utf8.RuneError
		if at+unit <= n {
			r = u.unit(raw[at:])
		}
		at += unit
		if utf16.IsSurrogate(r) {
			low := utf8.RuneError
			if at+unit <= n {
				low = u.unit(raw[at:])
			}
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				at += unit
			}
		}
		text = utf8.AppendRune(text, r)
	}
	u.block, u.text = block, text
	return nil
}

// unit returns the first unit of b.
func (u *UTF16) unit(b []byte) rune {
	if u.big {
		return rune(b[0])<<8 | rune(b[1])
	}
	return rune(b[1])<<8 | rune(b[0])
}
