package read

import (
	"context"
	"io"
	"unicode/utf8"

	"gander/internal/blocks"
	"gander/internal/documents"
	"gander/internal/files/lines"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/native/call"
)

const (
	keptBytes     = 4*maxLineChars + 4 // the maximum size of a line that a cursor returns
	partBytes     = 128 << 10          // read of a long line at a time
	measuredBytes = 16 << 20           // read at most to find the end of a long line
)

// A reader reads lines of a file or of the text of a document.
type reader struct {
	cursor *lines.Cursor
	blocks blocks.Language
}

// newLineReader returns a reader of the content of a file, whose cursor the caller must close. The
// outline is nil unless the content is the text of a document.
func newLineReader(
	c *call.Call, at workspace.Location, content io.ReaderAt, index *lines.Index,
	outline *documents.Outline,
) *reader {
	options := lines.Options{Keep: keptBytes, Index: index, Pool: &c.Buffers}
	r := &reader{blocks: blocks.ForFile(at.Path())}
	if outline != nil {
		options.Near, r.blocks = outline.Near, blocks.Markdown()
	}
	r.cursor = lines.New(content, options)
	return r
}

// skipChars returns the offset in a line after its first n characters, or its end if it has fewer,
// and the number of characters before it.
func (r *reader) skipChars(
	ctx context.Context, l lines.Line, n int,
) (offset int64, skipped int, err error) {
	for skipped < n {
		part, err := r.part(ctx, l, offset)
		if err != nil || len(part) == 0 {
			return offset, skipped, err
		}
		chars := utf8.RuneCount(part)
		for ; chars > n-skipped; chars-- {
			_, width := utf8.DecodeLastRune(part)
			part = part[:len(part)-width]
		}
		skipped += chars
		offset += int64(len(part))
	}
	return offset, skipped, nil
}

// charsFrom returns the number of characters of a line from an offset on. It stops after
// measuredBytes, and reports then that the number is not exact.
func (r *reader) charsFrom(
	ctx context.Context, l lines.Line, offset int64,
) (n int, exact bool, err error) {
	end := offset + measuredBytes
	for offset < end {
		part, err := r.part(ctx, l, offset)
		if err != nil || len(part) == 0 {
			return n, true, err
		}
		n += utf8.RuneCount(part)
		offset += int64(len(part))
	}
	return n, false, nil
}

// part returns the part of a line that begins at an offset. It ends at a character boundary, and is
// empty only at the end of the line. It becomes invalid when a cursor method is called.
func (r *reader) part(ctx context.Context, l lines.Line, offset int64) ([]byte, error) {
	b, err := r.cursor.Part(ctx, l, offset, partBytes)
	whole := text.WholeCharacters(b)
	if whole > 0 {
		b = b[:whole] // unless the line ends in it, the last character is in the next part
	}
	return b, err
}
