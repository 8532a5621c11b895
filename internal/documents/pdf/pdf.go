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
	"unicode/utf8"

	"gander/internal/documents"
)

const (
	maxInstances = 2
	maxMemory    = 32 << 20 // the maximum memory of an instance in bytes

	// maxUnreadable is the number of consecutive pages that cannot be read after which the rest of
	// the document is not tried: a damaged file can claim to have millions.
	maxUnreadable = 100
)

// A Format reads PDF files. PDFium is compiled when the first file is read, which takes about a
// second, and forgotten after a minute without a file. At most two files are read at a time.
type Format struct {
	engine *engine
}

// New returns the format.
func New() *Format { return &Format{newEngine()} }

// Recognize implements [documents.Format]. Other data can precede a PDF file, but not text: that
// mentions one.
func (*Format) Recognize(_ context.Context, src *documents.Source) (bool, error) {
	before, _, found := bytes.Cut(src.Head, []byte("%PDF-"))
	if !found {
		return false, nil
	}
	isStart := len(bytes.Trim(before, " \t\r\n\ufeff")) == 0
	return isStart || !isText(src.Head), nil
}

// isText reports whether a head has only text. Its last character may be cut.
func isText(head []byte) bool {
	head = head[:documents.WholeCharacters(head)]
	return utf8.Valid(head) && bytes.IndexByte(head, 0) < 0
}

// Seeks implements [documents.Seeker].
func (*Format) Seeks() {}

// Write implements [documents.Format].
func (f *Format) Write(ctx context.Context, src *documents.Source, w *documents.Writer) error {
	if src.Size() > math.MaxUint32 {
		return documents.TooLargef("more than 4 GiB")
	}
	src.Pause()
	p, b, err := f.engine.acquire(ctx)
	src.Resume()
	if err != nil {
		return err
	}
	defer f.engine.release(ctx, b)
	d := &document{program: p, buffer: b, src: src, w: w}
	defer d.close()
	err = d.write(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case d.fault != nil:
		return d.fault
	}
	return err
}

// A document is a PDF file while its lines are written.
type document struct {
	program *program
	buffer  *buffer // shared by all its instances
	src     *documents.Source
	w       *documents.Writer

	pages    int
	textless int // pages before the current one, without text, that are not written yet
	written  bool
	fault    error // an error of reading the file, or of getting memory

	instance *instance // nil while there is none
}

// write writes the pages from the first one that is wanted.
func (d *document) write(ctx context.Context) error {
	if err := d.open(ctx); err != nil {
		return err
	}
	if d.w.First() == 1 && !d.instance.validTable() {
		d.w.Line([]byte("(the file is damaged; text may be missing)"))
		d.written = true
	}
	unreadable := 0
	for n := d.w.First(); n <= d.pages && d.w.Err() == nil; n++ {
		text, err := d.readPage(ctx, n)
		switch {
		case err == nil:
			unreadable = 0
			d.writePage(n, text)
			continue
		case ctx.Err() != nil || d.fault != nil:
			return err
		}
		if n == d.w.First() {
			unreadable = d.unreadableBefore(ctx, n)
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
	if d.w.First() == 1 && !d.written {
		return documents.NoText(d.pages)
	}
	d.flush(d.pages + 1)
	return d.w.Err()
}

// unreadableBefore returns how many pages directly before page n cannot be read, as far as it
// matters: so a text ends at the same page wherever the reading begins.
func (d *document) unreadableBefore(ctx context.Context, n int) int {
	d.close() // PDFium finds the pages of a damaged file only in their order
	count := 0
	for before := max(n-maxUnreadable+1, 1); before < n && ctx.Err() == nil; before++ {
		_, err := d.readPage(ctx, before)
		count++
		if err == nil {
			count = 0
		}
	}
	return count
}

// errMemory and errDamaged are the reasons why a page cannot be read.
var (
	errMemory  = fmt.Errorf("needs more than %d MiB", maxMemory>>20)
	errDamaged = errors.New("is damaged")
)

// readPage returns the text of page n in UTF-16, which is valid until another page is read. A page
// that cannot be read is tried once more in a new instance, because pages before it can have filled
// the memory.
func (d *document) readPage(ctx context.Context, n int) ([]byte, error) {
	for {
		if d.instance == nil {
			if err := d.open(ctx); err != nil {
				return nil, err
			}
		}
		isNew := d.instance.pagesRead == 0
		text, err := d.instance.readPage(n)
		if err == nil || err == errDamaged {
			return text, err
		}
		d.close()
		if isNew || ctx.Err() != nil || d.fault != nil {
			return nil, err
		}
	}
}

// writePage writes page n. Pages without text wait for one with text: there may be none.
func (d *document) writePage(n int, text []byte) {
	if d.lines(n, text) {
		return
	}
	d.textless++
	if d.written || d.w.First() > 1 {
		d.flush(n + 1)
	}
}

// begin writes the mark of page n.
func (d *document) begin(n int) {
	d.flush(n)
	d.w.Mark(documents.Mark{Kind: documents.Page, Number: n, Total: d.pages})
	d.written = true
}

// flush writes the pages without text before page n.
func (d *document) flush(n int) {
	for ; d.textless > 0; d.textless-- {
		d.w.Mark(documents.Mark{Kind: documents.Page, Number: n - d.textless, Total: d.pages})
		d.w.Line([]byte("(no text)"))
	}
}
