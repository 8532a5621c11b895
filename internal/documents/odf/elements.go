package odf

import (
	"slices"

	"gander/internal/documents/markup"
)

// isParagraph reports whether an element is a paragraph or a heading.
func isParagraph(name string) bool { return name == "p" || name == "h" }

// isShape reports whether an element is a shape of a slide, which can contain text.
func isShape(name string) bool {
	switch name {
	case "frame", "custom-shape", "rect", "circle", "ellipse", "polygon", "regular-polygon",
		"polyline",
		"path", "line", "connector", "measure", "caption":
		return true
	}
	return false
}

// isOmitted reports whether an element in a paragraph is not part of its text.
func isOmitted(name string) bool {
	switch name {
	case "note-citation", "ruby-text", "creator-initials", "sender-initials", "binary-data", "script":
		return true
	}
	return false
}

// inParagraph are the elements with the text of paragraphs. Other elements in them are fields.
var inParagraph = []string{"p", "h", "span", "a"}

// isAside reports whether text is not part of the paragraph around it: it is the title or the
// description of a frame, unless that is the name of a field, or is between the parts of an
// annotation.
func isAside(s *markup.Scanner) bool {
	isField := slices.Contains(inParagraph, s.Parent(1))
	if isField {
		return false
	}
	switch s.Parent(0) {
	case "title", "desc", "annotation":
		return true
	}
	return false
}
