package markup

import (
	"bufio"
	"context"
	"io"

	"gander/internal/documents"
)

// An Archive is the archive of a document whose entries are XML or XHTML. Its first error ends Out.
// After that, it reads nothing.
type Archive struct {
	*documents.Archive
	Out *documents.Writer

	ctx  context.Context // of the call of Write, which makes the archive and ends with its scans
	kept int             // see Keep
}

// Open returns the archive of a document. Errors are as for [documents.Source.Archive].
func Open(
	ctx context.Context, src *documents.Source, out *documents.Writer,
) (*Archive, error) {
	a, err := src.Archive()
	return &Archive{Archive: a, Out: out, ctx: ctx}, err
}

// Scan calls f for each piece of an entry, which is XML. It does nothing if the entry is missing.
func (a *Archive) Scan(name string, f func(s *Scanner)) { a.scan(name, false, f) }

// ScanHTML is [Archive.Scan] for XHTML. Elements such as br need no end, and other ends may be
// missing.
func (a *Archive) ScanHTML(name string, f func(s *Scanner)) { a.scan(name, true, f) }

// ScanStarts is [Archive.Scan] for only the elements that start.
func (a *Archive) ScanStarts(name string, f func(s *Scanner)) {
	a.Scan(name, func(s *Scanner) {
		if s.Piece == Start {
			f(s)
		}
	})
}

func (a *Archive) scan(name string, html bool, f func(s *Scanner)) {
	if a.Out.Err() != nil {
		return
	}
	r, err := a.Archive.Open(a.ctx, name)
	if r != nil {
		defer r.Close()
		err = Scan(name, r, html, a.Out, f)
	}
	a.Out.Fail(err)
}

// Scan calls f for each piece of XML or HTML, until f stops it or out has an error. The part names
// the input in errors.
func Scan(
	part string, r io.Reader, html bool, out *documents.Writer, f func(s *Scanner),
) error {
	in := bufio.NewReaderSize(decode(bufio.NewReader(r)), 32<<10)
	s := &Scanner{part: part, r: in, html: html, out: out, f: f}
	for !s.isDone() {
		err := s.next()
		switch {
		case err == io.EOF && s.isPartial():
			return s.early(err)
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
	return nil
}

// maxKept is the maximum size in bytes of the tables that a format keeps to read one document, such
// as its styles.
const maxKept = 3 << 20

// KeepText is [Archive.Keep] for a text that belongs to an entry.
func (a *Archive) KeepText(s string) {
	const entry, header = 64, 16
	a.Keep(len(s) + header - entry)
}

// Keep counts an entry of a table that the format keeps, whose texts have n bytes. Without room for
// it, the document ends.
func (a *Archive) Keep(n int) {
	const overhead = 64 // the size of an entry of a map in bytes
	a.kept += n + overhead
	if a.kept > maxKept {
		a.Out.Fail(documents.TooLargef(
			"more than %d MiB of styles, relations or lists of parts", maxKept>>20))
	}
}
