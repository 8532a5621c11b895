// Package document knows a file as people read it: which encoding its bytes are in, its lines, and what it is where it is no
// text. It knows no path and no terminal; it is given an open file.
package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"

	"gander/internal/dialect/codex"
	"gander/internal/engine/lines"
)

const (
	// MaxLine is how many bytes of a line are read.
	MaxLine = 64 << 10
	// MaxDecoded is the most text that is decoded of a file that is not in UTF-8, in bytes. UTF-8 is read where it lies,
	// whatever the size.
	MaxDecoded = 64 << 20
	// sniffed is how many bytes tell what a file is.
	sniffed = 8 << 10
)

// A Document is a file that has been looked at.
type Document struct {
	// Encoding is the name of the encoding, "" where the file is no text.
	Encoding string
	// Type is the media type of what is no text.
	Type string
	// Size is the file's, in bytes.
	Size int64

	text io.ReaderAt
}

// Open looks at a file. An encoding is one of the labels of the WHATWG Encoding Standard, which is believed; "" has the
// file's byte order mark say, and takes a file without one for UTF-8, or for no text where a NUL is among its first
// bytes. The file must stay open as long as the document is read.
func Open(file fs.File, label string) (*Document, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	bytesAt, ok := file.(io.ReaderAt)
	if !ok {
		return nil, errors.New("is a directory; name a file in it")
	}
	head := make([]byte, sniffed)
	n, err := bytesAt.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	head = head[:n]
	d := &Document{Size: info.Size()}
	var decoder encoding.Encoding
	if d.Encoding, decoder, err = chosen(label, head); err != nil {
		return nil, err
	}
	switch {
	case d.Encoding == "":
		if d.Type = http.DetectContentType(head); strings.HasPrefix(d.Type, "text/") {
			d.Type = "application/octet-stream" // by its first bytes alone
		}
	case decoder != nil:
		d.text, err = decode(bytesAt, decoder)
	default:
		d.text = bytesAt
		if bytes.HasPrefix(head, []byte("\ufeff")) {
			d.text = io.NewSectionReader(bytesAt, 3, 1<<62)
		}
	}
	return d, err
}

// chosen returns the encoding of a file that begins with head, without a decoder where that is UTF-8, and "" where it is no
// text.
func chosen(label string, head []byte) (string, encoding.Encoding, error) {
	if label != "" {
		e, err := htmlindex.Get(label)
		if err != nil {
			return "", nil, fmt.Errorf("%q is no encoding that is known here; utf-16le, windows-1252, shift_jis and gb18030 are", label)
		}
		name, err := htmlindex.Name(e)
		if err != nil || name == "utf-8" {
			return "utf-8", nil, err
		}
		return name, e, nil
	}
	mark := func(s string) bool { return bytes.HasPrefix(head, []byte(s)) }
	switch {
	case mark("\xff\xfe\x00\x00"):
		return "utf-32le", utf32.UTF32(utf32.LittleEndian, utf32.ExpectBOM), nil
	case mark("\x00\x00\xfe\xff"):
		return "utf-32be", utf32.UTF32(utf32.BigEndian, utf32.ExpectBOM), nil
	case mark("\xff\xfe"):
		return "utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM), nil
	case mark("\xfe\xff"):
		return "utf-16be", unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM), nil
	case bytes.IndexByte(head, 0) >= 0:
		return "", nil, nil
	default:
		return "utf-8", nil, nil
	}
}

// decode holds the whole text in memory.
func decode(file io.ReaderAt, e encoding.Encoding) (io.ReaderAt, error) {
	raw := io.NewSectionReader(file, 0, 1<<62)
	text, err := io.ReadAll(io.LimitReader(transform.NewReader(raw, e.NewDecoder()), MaxDecoded+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxDecoded {
		return nil, fmt.Errorf("is longer than the %d MiB that are decoded; convert it to UTF-8", MaxDecoded>>20)
	}
	return bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))), nil
}

// Binary reports whether the file is no text.
func (d *Document) Binary() bool { return d.text == nil }

// Lines yields the lines from number first on. A file with fewer lines has none; an error is the last.
func (d *Document) Lines(ctx context.Context, first int) iter.Seq2[lines.Line, error] {
	return func(yield func(lines.Line, error) bool) {
		c := lines.New(d.text, lines.Options{Keep: MaxLine})
		err := c.Seek(ctx, first)
		for err == nil {
			var line lines.Line
			if line, err = c.Next(ctx); err == nil && !yield(line, nil) {
				return
			}
		}
		if err != io.EOF {
			yield(lines.Line{}, err)
		}
	}
}

// Around returns the first and the last line of the block around a line, by the rules of codex/read_file. The error is
// [io.EOF] where there is no such line.
func (d *Document) Around(ctx context.Context, line, levels, limit int) (first, last int, err error) {
	return codex.Around(ctx, d.text, line, levels, limit)
}
