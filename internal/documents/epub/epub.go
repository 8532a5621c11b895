// Package epub reads EPUB files, which are books.
package epub

import (
	"context"
	"net/url"
	"path"
	"slices"

	"gander/internal/documents"
	"gander/internal/documents/html"
	"gander/internal/documents/markup"
)

// Format is the format EPUB.
var Format documents.Format = format{}

type format struct{}

const container = "META-INF/container.xml"

// Recognize implements [documents.Format].
func (format) Recognize(_ context.Context, src *documents.Source) (bool, error) {
	a, err := src.Archive()
	return err == nil && a.Has(container), err
}

// Write implements [documents.Format].
func (format) Write(ctx context.Context, src *documents.Source, w *documents.Writer) error {
	a, err := markup.Open(ctx, src, w)
	if err != nil {
		return err
	}
	parts := readingOrder(a)
	if len(parts) == 0 {
		w.Line([]byte("(no parts)"))
	}
	for i := w.First() - 1; i < len(parts); i++ {
		part := parts[i]
		w.Mark(documents.Mark{
			Kind: documents.Part, Number: i + 1, Total: len(parts), Name: path.Base(part.name),
		})
		switch {
		case !a.Has(part.name):
			w.Line([]byte("(this part is missing in the file)"))
		case !part.isText():
			w.Line(documents.Placeholder(part.mediaType, ""))
		default:
			a.ScanHTML(part.name, (&html.Writer{Out: w}).Piece)
		}
	}
	return w.Err()
}

// A part is an entry of the archive that belongs to the text.
type part struct{ name, mediaType string }

// isText reports whether p is XHTML. Otherwise it is an image, for instance.
func (p part) isText() bool {
	return p.mediaType == "application/xhtml+xml" || p.mediaType == "text/html"
}

// readingOrder returns the parts of a book in reading order, each once.
func readingOrder(a *markup.Archive) []part {
	list := ""
	a.ScanStarts(container, func(s *markup.Scanner) {
		if s.Name == "rootfile" && list == "" {
			list = s.Attr("full-path")
		}
	})
	if !a.Has(list) {
		a.Out.Fail(documents.Invalidf("its list of parts %q is missing", list))
	}
	// The order follows the names of all files of the book, of which only those of its parts are kept.
	indexes := map[string]int{} // in parts, by identifiers
	a.ScanStarts(list, func(s *markup.Scanner) {
		id := s.Attr("idref")
		_, found := indexes[id]
		if s.Name == "itemref" && !found {
			indexes[id] = len(indexes)
			a.Keep(len(id))
		}
	})
	parts := make([]part, len(indexes))
	a.ScanStarts(list, func(s *markup.Scanner) {
		i, found := indexes[s.Attr("id")]
		if s.Name == "item" && found {
			parts[i] = part{entryOf(list, s.Attr("href")), s.Attr("media-type")}
			a.Keep(len(parts[i].name) + len(parts[i].mediaType))
		}
	})
	parts = slices.DeleteFunc(parts, func(p part) bool { return p == part{} })
	checkEncryption(a, parts)
	return parts
}

// entryOf returns the name of the entry to which a list of parts refers.
func entryOf(list, target string) string {
	if decoded, err := url.PathUnescape(target); err == nil {
		target = decoded
	}
	return path.Join(path.Dir(list), target)
}

// checkEncryption checks that no part is encrypted. Fonts are, in books that can be read.
func checkEncryption(a *markup.Archive, parts []part) {
	encrypted := map[string]bool{}
	a.ScanStarts("META-INF/encryption.xml", func(s *markup.Scanner) {
		if s.Name == "CipherReference" {
			name := entryOf("", s.Attr("URI"))
			encrypted[name] = true
			a.Keep(len(name))
		}
	})
	for _, part := range parts {
		if part.isText() && encrypted[part.name] {
			a.Out.Fail(documents.ErrEncrypted)
		}
	}
}
