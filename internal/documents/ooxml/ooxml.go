// Package ooxml reads the structure of Office Open XML files, which are DOCX, XLSX and PPTX.
package ooxml

import (
	"context"
	"errors"
	"io"
	"path"
	"strings"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// A Package is an archive whose parts refer to each other by relations.
type Package struct {
	*markup.Archive
	Main string // the name of the part with the document
}

// A Format is a format of packages. It has the methods of a [documents.Format] that do not depend on
// what a package contains.
type Format struct {
	Title string // the name of the format in errors
	Root  string // the root element of the main part
	// Standard is the name of the main part in nearly all packages. It decides if that part cannot be
	// read.
	Standard string
}

// Recognize implements [documents.Format].
func (f Format) Recognize(ctx context.Context, src *documents.Source) (bool, error) {
	_, err := f.Open(ctx, src)
	return err == nil, err
}

// Open returns the package in src. The error is an *Error if there is none of the format.
func (f Format) Open(ctx context.Context, src *documents.Source) (*Package, error) {
	a, err := markup.Open(ctx, src)
	if err != nil {
		return nil, err
	}
	if !a.Has("_rels/.rels") && !a.Has("[Content_Types].xml") {
		return nil, documents.Invalidf("it has no parts")
	}
	p := &Package{Archive: a, Main: f.Standard}
	root, err := p.findMain()
	_, invalid := errors.AsType[*documents.Error](err)
	switch {
	case invalid && a.Has(f.Standard):
		return p, nil
	case err == nil && root != f.Root:
		err = documents.Invalidf("it is not %s", f.Title)
	}
	return p, err
}

// findMain sets the name of the main part, unless it is the standard one, and returns the name of its
// root element.
func (p *Package) findMain() (root string, err error) {
	main, err := p.Related("", "officeDocument")
	if err != nil {
		return "", err
	}
	if p.Has(main) {
		p.Main = main
	}
	err = p.ScanStarts(p.Main, func(s *markup.Scanner) error {
		root = s.Name
		return io.EOF
	})
	return root, err
}

// PartsByID returns the parts to which the main part refers, by the identifiers of the relations.
func (p *Package) PartsByID() (map[string]string, error) {
	parts := map[string]string{}
	err := p.scanRelations(p.Main, func(id, _, target string) error {
		parts[id] = target
		return p.Keep(len(id) + len(target))
	})
	return parts, err
}

// PartsByType returns the first part of each type to which the main part refers, such as "styles".
func (p *Package) PartsByType() (map[string]string, error) {
	parts := map[string]string{}
	err := p.scanRelations(p.Main, func(_, kind, target string) error {
		if parts[kind] != "" {
			return nil
		}
		parts[kind] = target
		return p.Keep(len(kind) + len(target))
	})
	return parts, err
}

// Related returns the first part of a type to which a part refers, or "" if there is none.
func (p *Package) Related(part, wanted string) (string, error) {
	found := ""
	err := p.scanRelations(part, func(_, kind, target string) error {
		if kind != wanted {
			return nil
		}
		found = target
		return io.EOF
	})
	return found, err
}

// Missing reports whether the package does not have a part to which another refers.
func (p *Package) Missing(part string) bool { return part != "" && !p.Has(part) }

// scanRelations calls f for each relation of a part within the package. The relations of the package itself
// are those of the part "". If f returns io.EOF, the others are not read.
func (p *Package) scanRelations(part string, f func(id, kind, target string) error) error {
	dir, base := path.Split(part)
	return p.ScanStarts(dir+"_rels/"+base+".rels", func(s *markup.Scanner) error {
		if s.Name != "Relationship" || s.Attr("TargetMode") == "External" {
			return nil
		}
		target := s.Attr("Target")
		if !strings.HasPrefix(target, "/") {
			target = "/" + dir + target
		}
		kind := strings.Clone(path.Base(s.Attr("Type"))) // without the rest in memory
		return f(s.Attr("Id"), kind, path.Clean(target)[1:])
	})
}
