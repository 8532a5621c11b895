package lines

import (
	"context"
	"fmt"
	"io"
	"sort"

	"golang.org/x/text/transform"

	"gander/internal/files/charset"
)

// unitBlock is the maximum size of a decoded block, in bytes of the file.
const unitBlock = 32 << 10

// Decoded reads a file in another encoding as UTF-8, without the byte order mark. It decodes one
// block at a time. What is not in the encoding becomes U+FFFD. If the file changes, its text is
// undefined, but no method reads beyond Size. It is not safe for concurrent use.
type Decoded struct {
	file    io.ReaderAt
	size    int64 // the size of the file in bytes
	decoder transform.Transformer
	starts  []blockStart // where each block begins, and where the last one ends

	block  int    // the decoded block, or -1
	text   []byte // the text of the block, a part of buffer
	raw    [unitBlock]byte
	buffer [3 * unitBlock]byte // a byte becomes at most three
}

// A blockStart is the start of a block.
type blockStart struct{ raw, text int64 } // offsets in the file and in the text

var _ io.ReaderAt = (*Decoded)(nil)

// NewDecoded reads a file of size bytes. The error is the error of reading the file or of ctx.
func NewDecoded(
	ctx context.Context, file io.ReaderAt, size int64, e charset.Encoding,
) (*Decoded, error) {
	u := &Decoded{file: file, size: size, decoder: e.NewDecoder(), block: -1}
	next := blockStart{raw: e.Mark}
	u.starts = []blockStart{next}
	for next.raw < size {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		used, err := u.decode(len(u.starts) - 1)
		if err != nil {
			return nil, err
		}
		if used == 0 { // the file has shrunk
			break
		}
		next.raw, next.text = next.raw+int64(used), next.text+int64(len(u.text))
		u.starts = append(u.starts, next)
	}
	return u, nil
}

// Size returns the size of the text.
func (u *Decoded) Size() int64 { return u.starts[len(u.starts)-1].text }

// ReadAt implements [io.ReaderAt].
func (u *Decoded) ReadAt(b []byte, offset int64) (n int, err error) {
	for n < len(b) {
		at := offset + int64(n)
		i := sort.Search(len(u.starts), func(i int) bool { return u.starts[i].text > at }) - 1
		if at < 0 || i == len(u.starts)-1 {
			return n, io.EOF
		}
		if i != u.block {
			if _, err := u.decode(i); err != nil {
				return n, err
			}
		}
		text := u.text[:min(int64(len(u.text)), u.starts[i+1].text-u.starts[i].text)]
		skip := at - u.starts[i].text
		if skip >= int64(len(text)) {
			return n, io.EOF // the file has changed
		}
		n += copy(b[n:], text[skip:])
	}
	return n, nil
}

// decode decodes a block and returns its size in the file. The block ends before a character
// that the next block may complete.
func (u *Decoded) decode(block int) (used int, err error) {
	first := u.starts[block].raw
	raw := u.raw[:min(unitBlock, u.size-first)]
	n, err := u.file.ReadAt(raw, first)
	if err != nil && err != io.EOF {
		u.block = -1
		return 0, fmt.Errorf("read at byte %d: %w", first, err)
	}
	atEOF := n < len(raw) || first+int64(n) == u.size
	u.decoder.Reset()
	// The only error is transform.ErrShortSrc, about such a character.
	size, used, _ := u.decoder.Transform(u.buffer[:], raw[:n], atEOF)
	u.block, u.text = block, u.buffer[:size]
	return used, nil
}
