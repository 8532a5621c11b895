package markup

import (
	"context"
	"io"
	"strings"

	"gander/internal/documents"
)

// An Archive is the archive of a document whose entries are XML or XHTML.
type Archive struct {
	*documents.Archive

	ctx  context.Context // of the call of Write, which makes the archive and ends with its scans
	kept int             // see Keep
}

// Open returns the archive of a document. Errors are as for [documents.Source.Archive].
func Open(ctx context.Context, src *documents.Source) (*Archive, error) {
	a, err := src.Archive()
	return &Archive{Archive: a, ctx: ctx}, err
}

// Scan calls f for each piece of an entry, which is XML. It does nothing if the entry is missing.
// If f returns io.EOF, the rest of the entry is not read.
func (a *Archive) Scan(name string, f func(s *Scanner) error) error {
	return a.scan(name, false, f)
}

// ScanHTML is [Archive.Scan] for XHTML. Elements such as br need no end, and other ends may be
// missing.
func (a *Archive) ScanHTML(name string, f func(s *Scanner) error) error {
	return a.scan(name, true, f)
}

// ScanStarts is [Archive.Scan] for only the elements that start.
func (a *Archive) ScanStarts(name string, f func(s *Scanner) error) error {
	return a.Scan(name, func(s *Scanner) error {
		if s.Piece != Start {
			return nil
		}
		return f(s)
	})
}

// ScanText is [Archive.Scan] for XML in memory.
func ScanText(content string, f func(s *Scanner) error) error {
	return newScanner("XML", strings.NewReader(content), false).scan(f)
}

// ScanHTML is [ScanText] for HTML.
func ScanHTML(content io.Reader, f func(s *Scanner) error) error {
	return newScanner("HTML", content, true).scan(f)
}

func (a *Archive) scan(name string, html bool, f func(s *Scanner) error) error {
	r, err := a.Archive.Open(a.ctx, name)
	if r == nil || err != nil {
		return err
	}
	defer r.Close()
	return newScanner(name, r, html).scan(f)
}

// maxKept is the maximum size in bytes of the tables that a format keeps to read one document, such
// as its styles.
const maxKept = 3 << 20

// KeepText is [Archive.Keep] for a text that belongs to an entry.
func (a *Archive) KeepText(s string) error {
	const entry, header = 64, 16
	return a.Keep(len(s) + header - entry)
}

// Keep counts an entry of a table that the format keeps, whose texts have n bytes. It returns an
// error if there is no room for it.
func (a *Archive) Keep(n int) error {
	const overhead = 64 // the size of an entry of a map in bytes
	a.kept += n + overhead
	if a.kept > maxKept {
		return documents.TooLargef(
			"more than %d MiB of styles, relations or lists of parts", maxKept>>20)
	}
	return nil
}
