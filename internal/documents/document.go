// Package documents reads documents, such as DOCX files, as lines of text.
//
// [Open] recognizes a document by its content and returns a [Document], whose lines the caller
// reads in order:
//
//	doc, err := documents.Open(ctx, formats, "report.docx", file)
//	if doc == nil || err != nil {
//		return err // not a document of these formats, or a file that could not be read
//	}
//	defer doc.Close()
//	for line, err := range doc.Lines(ctx, documents.Limits{}) {
//		if err != nil {
//			return err // an *Error, or an error of ctx or the file
//		}
//		fmt.Printf("%s\n", line.Text)
//	}
//
// The same bytes always give the same lines. A line with a [Mark] begins a page, sheet, slide, cell
// or part. A [Text] is the lines as a file, with an [Outline] that knows where the marks are: it
// finds "page 12", names the place of each line, and starts again at a mark.
//
// The formats are values: a program passes those that it reads, and links only these. A format
// implements [Format] and writes to a [Writer], which keeps the promises about lines. The package
// imports no format, and formats do not know each other. None opens a file: they read a [File].
package documents

import (
	"cmp"
	"context"
	"errors"
	"image"
	"io"
	"iter"
	"path"
	"time"
)

// A File is the file of a document. Workspace files, [bytes.Reader] and [io.SectionReader]
// implement it.
type File interface {
	io.ReaderAt
	Size() int64
}

// Limits are the limits for reading a document. Zero means 256 MiB, and any time.
type Limits struct {
	Inflated int64 // bytes that may be inflated
	Text     int64 // bytes of the lines

	// Time limits the work of a [Text]. Neither waiting counts ([Source.Pause]) nor the caller's time
	// between reads. The error is [context.DeadlineExceeded].
	Time time.Duration
}

const defaultLimit = 256 << 20

// A Line is a line of a document's text.
type Line struct {
	// Text is valid UTF-8 of at most MaxLine bytes without a line end or other control characters
	// except tabs. It is valid until the next line is read.
	Text []byte

	Mark Mark // zero unless the line is a mark
}

// MaxLine is the maximum length of a line in bytes. A longer one continues on the next line. With
// its line feed, a line has at most 64 KiB, so a search has each line as a whole.
const MaxLine = 64<<10 - 1

// A Format reads the documents of one kind. It is safe for concurrent use.
type Format interface {
	// Recognize reports whether src is a document of the format. It reads little, whatever the
	// size of src, but all of a notebook of up to 16 MiB, which must be JSON. An error is one of
	// ctx or the file; an *Error does not matter.
	Recognize(ctx context.Context, src *Source) (bool, error)

	// Write writes the lines of src to w, until w has an error. It returns an *Error for a document
	// that cannot be read, or an error of ctx or the file. Its memory has a fixed bound.
	//
	// Its marks, apart from sections, are of one kind, and their numbers are 1, 2 and so on. It need
	// not read the text before the mark [Writer.First], which w drops.
	Write(ctx context.Context, src *Source, w *Writer) error
}

// A Drawer is a [Format] that can show a page without text as a picture.
type Drawer interface {
	Format
	// Draw calls show with a picture of page n, whose longer side has a number of pixels, unless the
	// page has text, or there is none with this number. The picture exists only during the call, for
	// which ShowMemory is reserved. Draw returns the number of pages. Errors are as for Write.
	Draw(ctx context.Context, src *Source, n, side int, show func(*image.RGBA) error) (int, error)
}

// ShowMemory is how many bytes can be used to show a picture.
const ShowMemory = 4 << 20

// Draw shows a page without text as a picture (see [Drawer]), unless the format has none.
func (d *Document) Draw(
	ctx context.Context, n, side int, show func(*image.RGBA) error,
) (pages int, err error) {
	drawer, ok := d.format.(Drawer)
	if !ok {
		return 0, nil
	}
	return drawer.Draw(ctx, d.src, n, side, show)
}

// maxRecognized is how many bytes each format may inflate to recognize a document.
const maxRecognized = 4 << 20

// A Document is a file that a format has recognized, or the damaged archive of a document. It is
// not safe for concurrent use. It should be closed, or its [Text].
type Document struct {
	format Format // nil if the archive is damaged
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
	format, err := src.recognize(ctx, formats)
	isDocument := format != nil || src.isDamaged()
	if err != nil || !isDocument {
		src.release(0)
		return nil, err
	}
	return &Document{format, src}, nil
}

// recognize returns the format of src, or nil if it has none.
func (s *Source) recognize(ctx context.Context, formats []Format) (Format, error) {
	for _, format := range formats {
		s.inflation = budget{limit: maxRecognized}
		ok, err := format.Recognize(ctx, s)
		_, invalid := errors.AsType[*Error](err)
		switch {
		case err != nil && !invalid:
			return nil, err
		case ok:
			return format, nil
		}
	}
	return nil, nil
}

// Lines returns the lines of the document. An error ends them.
func (d *Document) Lines(ctx context.Context, limits Limits) iter.Seq2[Line, error] {
	return d.linesFrom(ctx, limits, Place{})
}

// linesFrom returns the lines from the place of a mark on, or all lines if place is zero. What was
// used for the lines before the place counts against the limits, so the lines end where all lines
// do.
func (d *Document) linesFrom(
	ctx context.Context, limits Limits, place Place,
) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		defer d.src.release(d.src.reserved) // keeps the memory that recognizing the document needed
		d.src.inflation = budget{limit: cmp.Or(limits.Inflated, defaultLimit)}
		w := &Writer{
			ctx: ctx, first: max(place.Number, 1), drops: place.Number > 1,
			textBudget: budget{cmp.Or(limits.Text, defaultLimit), place.offset},
		}
		isAtPlace := place.Kind != 0
		w.yield = func(l Line) bool {
			if isAtPlace { // the format has inflated less than all that is before the place
				d.src.inflation.used = place.inflated
				isAtPlace = false
			}
			return yield(l, nil)
		}
		err := d.write(ctx, w)
		if err != nil && w.Err() != errStopped {
			yield(Line{}, err)
		}
	}
}

// write writes the lines of the document to w.
func (d *Document) write(ctx context.Context, w *Writer) error {
	if d.format == nil {
		return d.src.archiveErr
	}
	err := d.format.Write(ctx, d.src, w)
	if err != nil {
		return err
	}
	w.finish()
	return w.Err()
}
