// Package ooxml reads the structure of Office Open XML files, of which DOCX, XLSX and PPTX are kinds.
package ooxml

import (
	"context"
	"errors"
	"path"
	"strings"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// A Package is a file whose parts are related to each other.
type Package struct {
	Main string // the name of the part with the document

	ctx     context.Context
	archive *documents.Archive
	budget  documents.Budget
}

// A Kind is a kind of packages. It has the methods of a [documents.Format] that do not depend on what
// a package contains.
type Kind struct {
	Title string // the name of the format
	Root  string // the root element of the main part
	// Standard is the name of the main part in nearly all packages. It decides if that part cannot be
	// read.
	Standard string
}

// Name implements [documents.Format].
func (k Kind) Name() string { return k.Title }

// Recognize implements [documents.Format].
func (k Kind) Recognize(ctx context.Context, src *documents.Source) (bool, error) {
	p, err := k.Open(ctx, src)
	return p != nil, err
}

// Open returns the package in src, or nil if there is none of the kind.
func (k Kind) Open(ctx context.Context, src *documents.Source) (*Package, error) {
	a, err := src.Archive()
	if a == nil || !a.Has("_rels/.rels") && !a.Has("[Content_Types].xml") {
		return nil, err
	}
	p := &Package{Main: k.Standard, ctx: ctx, archive: a}
	var found string
	rels, err := p.Relations("")
	if err == nil {
		if main := rels.Types["officeDocument"]; a.Has(main) {
			p.Main = main
		}
		found, err = p.root(p.Main)
	}
	if _, ok := errors.AsType[*documents.Error](err); ok {
		if a.Has(k.Standard) {
			return p, nil
		}
		return nil, nil
	}
	if found != k.Root {
		return nil, err
	}
	return p, nil
}

// root returns the name of the root element of a part.
func (p *Package) root(part string) (name string, err error) {
	errFound := errors.New("found")
	err = p.Scan(part, func(s *markup.Scanner) error {
		if s.Kind == markup.Start {
			name = s.Name
			return errFound
		}
		return nil
	})
	if err == errFound {
		err = nil
	}
	return name, err
}

// Scan calls f for the pieces of a part. It does nothing if the part is missing.
func (p *Package) Scan(part string, f func(s *markup.Scanner) error) error {
	return markup.ScanEntry(p.ctx, p.archive, part, f)
}

// Parts returns the names of the parts with a prefix, the shorter ones first.
func (p *Package) Parts(prefix string) []string { return p.archive.Names(prefix) }

// Relations are the parts that a part refers to.
type Relations struct {
	IDs   map[string]string
	Types map[string]string // the first of each type, such as "styles"
}

// Relations returns the relations of a part, or of the package if part is empty.
func (p *Package) Relations(part string) (Relations, error) {
	rels := Relations{map[string]string{}, map[string]string{}}
	dir, base := path.Split(part)
	err := p.Scan(dir+"_rels/"+base+".rels", func(s *markup.Scanner) error {
		if s.Kind != markup.Start || s.Name != "Relationship" || s.Attr("TargetMode") == "External" {
			return nil
		}
		id, target := s.Attr("Id"), s.Attr("Target")
		if !strings.HasPrefix(target, "/") {
			target = "/" + dir + target
		}
		target = path.Clean(target)[1:]
		kind := path.Base(s.Attr("Type"))
		rels.IDs[id] = target
		if rels.Types[kind] == "" {
			rels.Types[kind] = target
		}
		return p.budget.Keep(len(id) + len(target) + len(kind))
	})
	return rels, err
}

// Keep counts what the reader of the package keeps in memory.
func (p *Package) Keep(n int) error { return p.budget.Keep(n) }
