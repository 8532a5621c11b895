// Package pdf reads the text of PDF files. PDFium does the work, compiled to WebAssembly. Whatever
// a file makes it do, it can only use its own memory and read the bytes of this file.
//
// The command release/pdfium makes the WebAssembly module.
package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"unicode/utf8"

	"gander/internal/documents"
	"gander/internal/files/text"
)

const (
	// maxInstances is the maximum number of instances, and keptInstances of further ones for clients
	// that have none.
	maxInstances, keptInstances = 2, 2
	// maxUnreadable is the number of consecutive pages that cannot be read after which the rest of
	// the document is not tried: a damaged file can claim to have millions.
	maxUnreadable = 100
)

// bounds are bytes of memory of an instance: those that are reserved before it is made, and the
// most that it can have.
type bounds struct{ reserved, limit int64 }

// The bounds of an instance that reads text, and of one that draws a page. The latter are nearly
// all that a call can have, and include the memory of whoever shows the picture.
var (
	forText    = bounds{reserved: 2 << 20, limit: 32 << 20}
	forPicture = bounds{reserved: 43<<20 + documents.ShowMemory, limit: 43 << 20}
)

// Recognize implements [documents.Format]. Other data can precede a PDF file, but neither text,
// which mentions one, nor the header of an archive, which contains one.
func (*Format) Recognize(_ context.Context, src *documents.Source) (bool, error) {
	before, after, found := bytes.Cut(src.Head, []byte("%PDF-"))
	if !found {
		return false, nil
	}
	isStart := len(bytes.Trim(before, " \t\r\n\ufeff")) == 0
	isHeader := isStart && versionLine.Match(after)
	isOther := isText(src.Head) || isArchive(before)
	return isHeader || !isOther, nil
}

// versionLine matches the rest of the first line of a PDF file that has only text.
var versionLine = regexp.MustCompile(`^\d\.\d[ \t]*[\r\n]`)

// isText reports whether a head has only text. Its last character may be cut.
func isText(head []byte) bool {
	head = head[:text.WholeCharacters(head)]
	return utf8.Valid(head) && bytes.IndexByte(head, 0) < 0
}

// isArchive reports whether a head is that of a tar or zip file.
func isArchive(head []byte) bool {
	const tarMagic, tarOffset = "ustar", 257
	isTar := len(head) > tarOffset && bytes.HasPrefix(head[tarOffset:], []byte(tarMagic))
	return isTar || bytes.HasPrefix(head, []byte("PK\x03\x04"))
}

// Write implements [documents.Format].
func (f *Format) Write(ctx context.Context, src *documents.Source, w *documents.Writer) error {
	return f.read(ctx, src, forText, func(p *program) error {
		d := &document{program: p, src: src, w: w, next: w.First(), written: w.First() > 1}
		defer d.close()
		return d.write(ctx)
	})
}

// read calls a function that reads src, when it may have an instance.
func (f *Format) read(
	ctx context.Context, src *documents.Source, b bounds, read func(*program) error,
) error {
	if src.Size() > math.MaxUint32 {
		return documents.TooLargef("more than 4 GiB")
	}
	src.Pause()
	p, instance, err := f.acquire(ctx, b)
	src.Resume()
	if err != nil {
		return err
	}
	defer f.release(ctx, instance, b)
	return read(p)
}

// A document is a PDF file while its lines are written.
type document struct {
	program *program
	src     *documents.Source
	w       *documents.Writer

	pages    int
	next     int       // the page whose mark is written next
	written  bool      // something was, so the document is one with text
	instance *instance // nil while there is none
}

func (d *document) open(ctx context.Context) (err error) {
	d.instance, err = newInstance(ctx, d.program, d.src, forText)
	if err == nil {
		d.pages = d.instance.pages
	}
	return err
}

// close frees the instance, if there is one.
func (d *document) close() {
	if d.instance != nil {
		d.instance.close()
		d.instance = nil
	}
}

// write writes the pages from the first one that is wanted.
func (d *document) write(ctx context.Context) error {
	if err := d.open(ctx); err != nil {
		return err
	}
	if d.instance.call("FPDF_DocumentHasValidCrossReferenceTable", d.instance.file) == 0 {
		d.w.Line([]byte("(the file is damaged; text may be missing)"))
		d.written = true
	}
	unreadable := 0 // consecutive pages before page n
	unknownBefore := d.w.First()
	for n := d.w.First(); n <= d.pages && d.w.Err() == nil; n++ {
		layout, err := d.page(ctx, n)
		switch {
		case isUnreadable(err) && n == unknownBefore && n > 1:
			// The text ends at the same page wherever the reading begins, so pages before this one are
			// tried. The writer drops them. PDFium finds those of a damaged file only in their order.
			d.close()
			n, unknownBefore = max(n-maxUnreadable, 0), 0
			d.next = n + 1
			continue
		case err == nil:
			unreadable = 0
			d.lines(n, layout)
			if d.written {
				d.begin(n) // also without text
			}
			continue
		case !isUnreadable(err):
			return err
		}
		unreadable++
		d.begin(n)
		if unreadable == maxUnreadable && n < d.pages {
			d.w.Line(fmt.Appendf(nil, "pages %d to %d: cannot be read (%v, as those before them)",
				n, d.pages, err))
			return nil
		}
		d.w.Line(fmt.Appendf(nil, "page %d: cannot be read (%v)", n, err))
	}
	if !d.written {
		return documents.NoText(d.pages)
	}
	return d.w.Err()
}

// The reasons why a page cannot be read.
var (
	errMemory  = errors.New("needs too much memory")
	errDamaged = errors.New("is damaged")
	errPDFium  = errors.New("PDFium fails")
)

// isUnreadable reports whether an error says that a page cannot be read, or that the file can no
// longer be opened. Any other ends the document.
func isUnreadable(err error) bool {
	_, invalid := errors.AsType[*documents.Error](err)
	return invalid || slices.Contains([]error{errMemory, errDamaged, errPDFium}, err)
}

// page returns the rows of page n. A page that cannot be read is tried once more in a new instance,
// because pages before it can have filled the memory.
func (d *document) page(ctx context.Context, n int) (*layout, error) {
	for {
		if d.instance == nil {
			if err := d.open(ctx); err != nil {
				return nil, err
			}
		}
		isNew := d.instance.pagesRead == 0
		l, err := d.instance.layout(n)
		if err == nil || err == errDamaged {
			return l, err
		}
		d.close()
		if isNew || !isUnreadable(err) {
			return nil, err
		}
	}
}

// lines writes the lines of page n.
func (d *document) lines(n int, l *layout) {
	if len(l.lines) == 0 {
		return
	}
	d.begin(n)
	if l.uncertain {
		d.w.Line([]byte("(columns may be those of a table, or of the page)"))
	}
	if l.partial {
		d.w.Line([]byte("(not all links and values of forms are shown)"))
	}
	for _, line := range l.lines {
		d.w.Run([]byte(readingOrder(line)))
		d.w.End()
	}
}

// begin writes the marks up to page n, once. Pages without text wait for one with text: there may
// be none.
func (d *document) begin(n int) {
	d.written = true
	for ; d.next <= n; d.next++ {
		d.w.Mark(documents.Mark{Kind: documents.Page, Number: d.next, Total: d.pages})
	}
}
