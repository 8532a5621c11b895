// Package documents reads documents, such as DOCX files, as lines of text.
//
// [Open] recognizes a document by its content and returns a [Document], whose lines the caller
// reads in order:
//
//	doc, err := documents.Open(ctx, formats, "report.docx", file)
//	if doc == nil || err != nil {
//		return err // not a document of these formats, or a file that could not be read
//	}
//	for line, err := range doc.Lines(ctx, documents.Limits{}) {
//		if err != nil {
//			return err // an *Error, whose text follows the name of the document; or that of ctx or the file
//		}
//		fmt.Printf("%s\n", line.Text)
//	}
//
// The same bytes always give the same lines. A line with a [Mark] begins a page, sheet, slide, cell
// or part, so a caller that keeps the marks and their line numbers can name the place of each line,
// find "page 12", and start again at a mark with [Document.LinesFrom].
//
// The formats are values: a program passes those that it reads, and links only these. A format
// implements [Format] and writes to a [Writer], which keeps the promises about lines. The package
// imports no format, and formats do not know each other. None opens a file: they read a [File].
package documents

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"path"
	"time"
)

// A File is what a document is read from. Workspace files, [bytes.Reader] and [io.SectionReader]
// implement it.
type File interface {
	io.ReaderAt
	Size() int64
}

// Limits are the limits for reading a document. Zero means 256 MiB, and any time.
type Limits struct {
	Inflated int64 // bytes that may be inflated
	Text     int64 // bytes of the lines

	// Time is how long a [Text] may take in all. What it waits for does not count, such as another
	// document, and what is done with the text. The error is [context.DeadlineExceeded].
	Time time.Duration
}

const defaultLimit = 256 << 20

// orDefault returns the limits with the defaults instead of zeros.
func (l Limits) orDefault() Limits {
	l.Inflated = cmp.Or(l.Inflated, defaultLimit)
	l.Text = cmp.Or(l.Text, defaultLimit)
	return l
}

// A Line is a line of a document's text.
type Line struct {
	// Text is valid UTF-8 of at most MaxLine bytes without a line end or other control characters
	// except tabs. It is valid until the next line is read.
	Text []byte

	Mark Mark // zero unless the line is a mark
}

// MaxLine is the maximum length of a line in bytes. What is longer continues on the next line. With
// its line feed, a line has at most 64 KiB, so a search has each line as a whole.
const MaxLine = 64<<10 - 1

// A Format reads the documents of one kind. It is safe for concurrent use.
type Format interface {
	// Recognize reports whether src is a document of the format. It reads little, whatever the
	// size of src. An error is one of ctx or the file; an *Error does not matter.
	Recognize(ctx context.Context, src *Source) (bool, error)

	// Write writes the lines of src to w, until w has an error. It returns an *Error for a document
	// that cannot be read, or that of ctx or the file. What it holds in memory has a fixed bound.
	Write(ctx context.Context, src *Source, w *Writer) error
}

// A Seeker is a [Format] whose Write starts at the mark [Writer.First], and does not read the text
// before it.
type Seeker interface {
	Format
	Seeks()
}

// maxRecognized is how many bytes each format may inflate to recognize a document.
const maxRecognized = 4 << 20

// A Document is a file that a format has recognized. It is not safe for concurrent use. It should be
// closed, or its [Text].
type Document struct {
	format Format // nil for an archive whose directory cannot be read
	src    *Source
}

// Close releases the memory that is reserved for the document.
func (d *Document) Close() { d.src.release(0) }

// Open returns the document in a file, or nil if no format recognizes it. Only the base of name is
// used. An error is one of ctx or the file.
func Open(ctx context.Context, formats []Format, name string, file File) (*Document, error) {
	head := make([]byte, min(file.Size(), maxHead))
	n, err := file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return OpenHead(ctx, formats, name, head[:n], file)
}

// OpenHead is [Open] for a file whose first bytes are known: 1,024, or all if there are fewer.
func OpenHead(
	ctx context.Context, formats []Format, name string, head []byte, file File,
) (*Document, error) {
	src := &Source{
		File: file, Name: path.Base(name), Head: head[:min(len(head), maxHead)], ctx: ctx,
	}
	for _, format := range formats {
		src.inflated = budget{limit: maxRecognized}
		ok, err := format.Recognize(ctx, src)
		_, invalid := errors.AsType[*Error](err)
		if err != nil && !invalid {
			src.release(0)
			return nil, err
		}
		if ok {
			return &Document{format, src}, nil
		}
	}
	if src.archive != nil && src.archive.damaged() {
		return &Document{nil, src}, nil
	}
	src.release(0)
	return nil, nil
}

// seeks reports whether the format is a [Seeker].
func (d *Document) seeks() bool {
	_, ok := d.format.(Seeker)
	return ok
}

// Lines returns the lines of the document. An error ends them.
func (d *Document) Lines(ctx context.Context, limits Limits) iter.Seq2[Line, error] {
	return d.LinesFrom(ctx, limits, 0)
}

// LinesFrom returns the lines from the n-th mark on that is no section, beginning with the line of
// the mark. The first mark is 1. If there are fewer marks, there are no lines. The lines before it
// are not read if the format is a [Seeker], and do not count against the limits.
func (d *Document) LinesFrom(ctx context.Context, limits Limits, n int) iter.Seq2[Line, error] {
	return d.linesAt(ctx, limits, n, Place{})
}

// linesAt is LinesFrom for the n-th mark, whose place is known unless it is zero. What was used for
// the lines before a known place counts against the limits, so the lines end where all lines do.
func (d *Document) linesAt(
	ctx context.Context, limits Limits, n int, place Place,
) iter.Seq2[Line, error] {
	limits = limits.orDefault()
	return func(yield func(Line, error) bool) {
		defer d.src.release(d.src.reserved)
		d.src.inflated = budget{limit: limits.Inflated}
		w := newWriter(ctx, limits.Text, func(l Line) bool {
			if l.Mark == place.Mark && l.Mark.counted() {
				d.src.inflated.used = place.inflated
			}
			return yield(l, nil)
		})
		w.text.used = place.offset
		w.first, w.ahead = max(n, 1), n
		if d.seeks() {
			w.ahead = min(n, 1)
		}
		err := d.write(ctx, w)
		if err != nil && w.Err() != errStopped {
			yield(Line{}, err)
		}
	}
}

// write writes the lines of the document to w.
func (d *Document) write(ctx context.Context, w *Writer) error {
	err := d.src.check()
	if err != nil {
		return err
	}
	err = d.format.Write(ctx, d.src, w)
	if err != nil {
		return err
	}
	w.finish()
	return w.Err()
}
