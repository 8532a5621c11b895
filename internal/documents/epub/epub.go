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
var Format documents.Seeker = format{}

type format struct{}

const container = "META-INF/container.xml"

// Recognize implements [documents.Format].
func (format) Recognize(_ context.Context, src *documents.Source) (bool, error) {
	a, err := src.Archive()
	return err == nil && a.Has(container), err
}

// Seeks implements [documents.Seeker].
func (format) Seeks() {}

// Write implements [documents.Format].
func (format) Write(ctx context.Context, src *documents.Source, w *documents.Writer) error {
	a, err := markup.Open(ctx, src)
	if err != nil {
		return err
	}
	parts, err := readingOrder(a)
	if err != nil {
		return err
	}
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
			err := a.ScanHTML(part.name, (&html.Writer{Out: w}).Piece)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// A part is an entry of the archive that belongs to the text.
type part struct{ name, mediaType string }

// isText reports whether p is XHTML. Otherwise it is an image, for instance.
func (p part) isText() bool {
	return p.mediaType == "application/xhtml+xml" || p.mediaType == "text/html"
}

// readingOrder returns the parts of a book in reading order, each once.
func readingOrder(a *markup.Archive) ([]part, error) {
	list := ""
	err := a.ScanStarts(container, func(s *markup.Scanner) error {
		if s.Name == "rootfile" && list == "" {
			list = s.Attr("full-path")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !a.Has(list) {
		return nil, documents.Invalidf("its list of parts %q is missing", list)
	}
	// The order follows the names of all files of the book, of which only those of its parts are kept.
	indexes := map[string]int{} // in parts, by identifiers
	err = a.ScanStarts(list, func(s *markup.Scanner) error {
		if s.Name != "itemref" {
			return nil
		}
		id := s.Attr("idref")
		if _, found := indexes[id]; found {
			return nil
		}
		indexes[id] = len(indexes)
		return a.Keep(len(id))
	})
	if err != nil {
		return nil, err
	}
	parts := make([]part, len(indexes))
	err = a.ScanStarts(list, func(s *markup.Scanner) error {
		i, found := indexes[s.Attr("id")]
		if s.Name != "item" || !found {
			return nil
		}
		parts[i] = part{entryOf(list, s.Attr("href")), s.Attr("media-type")}
		return a.Keep(len(parts[i].name) + len(parts[i].mediaType))
	})
	if err != nil {
		return nil, err
	}
	parts = slices.DeleteFunc(parts, func(p part) bool { return p == part{} })
	return parts, checkEncryption(a, parts)
}

// entryOf returns the name of the entry to which a list of parts refers.
func entryOf(list, target string) string {
	if decoded, err := url.PathUnescape(target); err == nil {
		target = decoded
	}
	return path.Join(path.Dir(list), target)
}

// checkEncryption checks that no part is encrypted. Fonts are, in books that can be read.
func checkEncryption(a *markup.Archive, parts []part) error {
	encrypted := map[string]bool{}
	err := a.ScanStarts("META-INF/encryption.xml", func(s *markup.Scanner) error {
		if s.Name != "CipherReference" {
			return nil
		}
		name := entryOf("", s.Attr("URI"))
		encrypted[name] = true
		return a.Keep(len(name))
	})
	for _, part := range parts {
		if part.isText() && encrypted[part.name] {
			return documents.ErrEncrypted
		}
	}
	return err
}
