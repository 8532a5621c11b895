// Package odf reads OpenDocument files: texts, spreadsheets and presentations.
package odf

import (
	"context"
	"io"
	"strings"

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
	a, err := src.Archive()
	if err != nil {
		return false, err
	}
	r, err := a.Open(ctx, "mimetype")
	if r == nil || err != nil {
		return false, err
	}
	defer r.Close()
	kind, err := io.ReadAll(io.LimitReader(r, 100))
	return strings.HasPrefix(string(kind), "application/vnd.oasis.opendocument."+string(f)), err
}

// content is the entry with the document.
const content = "content.xml"

// Write implements [documents.Format].
func (f format) Write(ctx context.Context, src *documents.Source, w *documents.Writer) error {
	a, err := markup.Open(ctx, src)
	if err != nil {
		return err
	}
	err = a.ScanStarts("META-INF/manifest.xml", func(s *markup.Scanner) error {
		if s.Name == "encryption-data" {
			return documents.ErrEncrypted
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case !a.Has(content):
		return documents.Invalidf("its entry %q is missing", content)
	}
	o := newOverview(f, a)
	for _, part := range []string{"styles.xml", content} {
		err := a.Scan(part, o.piece)
		if err != nil {
			return err
		}
	}
	out := &writer{
		format: f, out: w, overview: o, archive: a, declarations: map[string]string{},
	}
	err = a.Scan(content, out.piece)
	if err != nil {
		return err
	}
	if out.deleted {
		w.LeftOut()
	}
	if f == Presentation { // whose slides have them
		return nil
	}
	for _, name := range []string{"header", "footer"} {
		header := &headerWriter{
			writer: &writer{format: "text", out: w, overview: o, archive: a, slides: -1},
			name:   name, section: name + "s",
		}
		err := a.Scan("styles.xml", header.piece)
		if err != nil {
			return err
		}
	}
	return nil
}
