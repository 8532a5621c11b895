package documents

import (
	"fmt"
	"strings"
)

// A Kind is the kind of a mark.
type Kind uint8

// The kinds of marks. A section divides what another mark began, such as the output of a cell, or
// follows the text, such as the footnotes.
const (
	Page Kind = iota + 1
	Sheet
	Slide
	Cell
	Part
	Section
)

// String returns the word for k in marks, in lower case.
func (k Kind) String() string {
	return [...]string{"", "page", "sheet", "slide", "cell", "part", "section"}[k]
}

// A Mark is a line that divides the text. It follows an empty line, unless it is the first line.
type Mark struct {
	Kind   Kind
	Hidden bool   // a reader of the document does not see it
	Number int    // among the marks of the kind, from 1; 0 for a section
	Total  int    // marks of the kind in the document, or 0 if that is unknown
	Name   string // of a sheet, part or section, the title of a slide, or the type of a cell
}

// counted reports whether m is no section: one of the marks that are counted in order, and at which
// the text can start.
func (m Mark) counted() bool { return m.Kind != 0 && m.Kind != Section }

// needsText reports whether a line says so if no text follows m.
func (m Mark) needsText() bool { return m.counted() && m.Kind != Cell }

// maxMarkName is the maximum length of a name in bytes.
const maxMarkName = 256

// String returns the text of the mark, such as "# page 3 of 113".
func (m Mark) String() string {
	var b strings.Builder
	switch m.Kind {
	case Section:
		b.WriteString("# " + m.Name)
	case Sheet:
		b.WriteString("# sheet " + m.Name)
	case Page:
		fmt.Fprintf(&b, "# page %d of %d", m.Number, m.Total)
	default:
		fmt.Fprintf(&b, "# %s %d", m.Kind, m.Number)
		if m.Name != "" {
			b.WriteString(": " + m.Name)
		}
	}
	if m.Hidden {
		b.WriteString(" (hidden)")
	}
	return b.String()
}

// A Title collects the title of a slide for its mark. One of more than MaxTitle bytes is empty,
// because the text of the slide has it.
type Title struct {
	Text string
	long bool
}

// MaxTitle is the maximum length of a title in bytes.
const MaxTitle = 200

// Add adds text. A space before other text is dropped.
func (t *Title) Add(text string) {
	t.long = t.long || len(t.Text)+len(text) > MaxTitle
	switch {
	case t.long:
		t.Text = ""
	case t.Text != "" || text != " ":
		t.Text += text
	}
}
