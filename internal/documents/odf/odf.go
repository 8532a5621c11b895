// Package odf reads OpenDocument files: texts, spreadsheets and presentations.
package odf

import (
	"bytes"
	"context"
	"io"
	"strings"
	"unicode"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// The formats of OpenDocument.
var (
	Text         documents.Format = format("text")
	Spreadsheet  documents.Format = format("spreadsheet")
	Presentation documents.Format = format("presentation")
)

// A format is the name of a kind of OpenDocument files in their media type.
type format string

// Recognize implements [documents.Format]. Templates are documents too.
func (f format) Recognize(ctx context.Context, src *documents.Source) (bool, error) {
	a, err := markup.Open(ctx, src, new(documents.Writer))
	if err != nil {
		return false, err
	}
	kind, err := mediaType(ctx, a)
	return strings.HasPrefix(kind, "application/vnd.oasis.opendocument."+string(f)), err
}

// mediaType returns the type of a document. Old programs wrote it only into the manifest.
func mediaType(ctx context.Context, a *markup.Archive) (kind string, err error) {
	r, err := a.Open(ctx, "mimetype")
	if err != nil {
		return "", err
	}
	if r != nil {
		defer r.Close()
		b, err := io.ReadAll(io.LimitReader(r, 100))
		return string(b), err
	}
	a.ScanStarts(manifest, func(s *markup.Scanner) {
		if s.Name == "file-entry" && s.Attr("full-path") == "/" {
			kind = s.Attr("media-type")
			s.Stop()
		}
	})
	return kind, a.Out.Err()
}

// The entries with the document, and with the names of the others.
const content, manifest = "content.xml", "META-INF/manifest.xml"

// Write implements [documents.Format].
func (f format) Write(ctx context.Context, src *documents.Source, w *documents.Writer) error {
	a, err := markup.Open(ctx, src, w)
	if err != nil {
		return err
	}
	a.ScanStarts(manifest, func(s *markup.Scanner) {
		if s.Name == "encryption-data" {
			w.Fail(documents.ErrEncrypted)
		}
	})
	if !a.Has(content) {
		w.Fail(documents.Invalidf("its entry %q is missing", content))
	}
	o := newOverview(f, a)
	a.Scan("styles.xml", o.piece)
	a.Scan(content, o.piece)
	out := newWriter(f, w, o)
	a.Scan(content, out.piece)
	if out.deleted {
		w.LeftOut()
	}
	if f == Presentation { // whose slides have headers and footers
		return w.Err()
	}
	for _, name := range []string{"header", "footer"} {
		h := &headerWriter{writer: newWriter("text", w, o), name: name, inSheets: f == Spreadsheet}
		a.Scan("styles.xml", h.piece)
	}
	return w.Err()
}

// A headerWriter writes the headers or the footers of a document, which are in its styles.
type headerWriter struct {
	writer *writer
	name   string // "header" or "footer"
	marked bool   // the mark of the section was written
	inside bool

	inSheets bool // the values of fields are not stored
}

func (h *headerWriter) piece(s *markup.Scanner) {
	name, _, _ := strings.Cut(s.Name, "-") // as in "header-first"
	isHeader := name == h.name && (s.Parent(0) == "master-page" || s.Name == h.name)
	switch {
	case s.Piece == markup.Start && isHeader:
		if s.Parent(0) != "master-page" || s.Attr("display") == "false" {
			s.Skip()
			return
		}
		h.inside = true
	case s.Piece == markup.End && isHeader:
		h.inside = false
		h.writer.out.End()
	case !h.inside, string(s.Text) == "???": // a field without a value
	case h.inSheets && s.Piece == markup.Start && sheetFields[s.Name]:
		s.Skip()
	case h.inSheets && s.Piece == markup.Text && bytes.IndexFunc(s.Text, isWord) < 0: // between fields
	default:
		isText := s.Piece == markup.Text && len(bytes.TrimSpace(s.Text)) > 0
		if isText && !h.marked {
			h.marked = true
			h.writer.out.Mark(documents.Mark{Kind: documents.Section, Name: h.name + "s"})
		}
		h.writer.piece(s)
	}
}

// sheetFields are the fields of the headers of sheets.
var sheetFields = map[string]bool{
	"sheet-name": true, "title": true, "file-name": true, "date": true, "time": true,
	"page-number": true, "page-count": true,
}

func isWord(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }
