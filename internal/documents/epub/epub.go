// Package epub reads EPUB files, which are books.
package epub

import (
	"context"
	"net/url"
	"path"

	"gander/internal/documents"
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
		w.Mark(documents.Mark{
			Kind: documents.Part, Number: i + 1, Total: len(parts), Name: path.Base(parts[i]),
		})
		if !a.Has(parts[i]) {
			w.Line([]byte("(this part is missing in the file)"))
		}
		err := a.ScanHTML(parts[i], (&writer{out: w}).piece)
		if err != nil {
			return err
		}
	}
	return nil
}

// readingOrder returns the documents of a book in reading order, each once.
func readingOrder(a *markup.Archive) ([]string, error) {
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
	items := map[string]string{}
	var parts []string
	err = a.ScanStarts(list, func(s *markup.Scanner) error {
		switch s.Name {
		case "item":
			kind := s.Attr("media-type")
			if kind != "application/xhtml+xml" && kind != "text/html" {
				return nil
			}
			id, target := s.Attr("id"), s.Attr("href")
			items[id] = target
			return a.Keep(len(id) + len(target))
		case "itemref":
			id := s.Attr("idref")
			if target := items[id]; target != "" {
				parts = append(parts, entryOf(list, target))
				delete(items, id)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
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
func checkEncryption(a *markup.Archive, parts []string) error {
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
		if encrypted[part] {
			return documents.ErrEncrypted
		}
	}
	return err
}
