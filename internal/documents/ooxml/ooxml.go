// Package ooxml reads the structure of Office Open XML files, which are DOCX, XLSX and PPTX.
package ooxml

import (
	"context"
	"errors"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// A Package is an archive whose parts refer to each other by relations.
type Package struct {
	*markup.Archive
	Main string // the name of the part with the document

	authors map[string]string // of comments, by their identifiers
}

// A Format is a format of packages.
type Format struct {
	Title string // the name of the format in errors
	Root  string // the root element of the main part
	// Standard is the name of the main part in nearly all packages. It decides if that part cannot be
	// read.
	Standard string
	// Text writes the text of a package.
	Text func(src *documents.Source, p *Package)
}

// Recognize implements [documents.Format].
func (f Format) Recognize(ctx context.Context, src *documents.Source) (bool, error) {
	_, err := f.open(ctx, src, new(documents.Writer))
	return err == nil, err
}

// Write implements [documents.Format].
func (f Format) Write(ctx context.Context, src *documents.Source, out *documents.Writer) error {
	p, err := f.open(ctx, src, out)
	if err != nil {
		return err
	}
	f.Text(src, p)
	return out.Err()
}

// open returns the package in src, whose errors end out. The error is an *Error if there is none of
// the format.
func (f Format) open(
	ctx context.Context, src *documents.Source, out *documents.Writer,
) (*Package, error) {
	a, err := markup.Open(ctx, src, new(documents.Writer)) // for the errors of findMain
	if err != nil {
		return nil, err
	}
	if !a.Has("_rels/.rels") && !a.Has("[Content_Types].xml") {
		return nil, documents.Invalidf("it has no parts")
	}
	p := &Package{Archive: a, Main: f.Standard}
	root := p.findMain()
	err = a.Out.Err()
	a.Out = out
	_, invalid := errors.AsType[*documents.Error](err)
	switch {
	case invalid && a.Has(f.Standard):
		return p, nil
	case err == nil && root != f.Root:
		err = documents.Invalidf("it is not %s", f.Title)
	}
	return p, err
}

// findMain sets the name of the main part, unless it is the standard one, and returns the name of
// its root element.
func (p *Package) findMain() (root string) {
	main := p.Relations("").First("officeDocument")
	if p.Has(main) && p.Out.Err() == nil {
		p.Main = main
	}
	p.ScanStarts(p.Main, func(s *markup.Scanner) {
		root = s.Name
		s.Stop()
	})
	return root
}

// Scripts are the values of vertAlign, as scripts of a [documents.Inline].
var Scripts = map[string]byte{"superscript": '^', "subscript": '_'}

// IsTrue reports whether the value of an attribute is true.
func IsTrue(value string) bool { return value == "1" || value == "true" }
