package native

import (
	"fmt"
	"strconv"
	"strings"

	"gander/internal/admission"
	"gander/internal/documents"
	"gander/internal/files/lines"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

// documentBytes is the memory reserved for reading a document: a part of its text, and what its
// format keeps.
const documentBytes = 4 << 20

// countedDocument is the size of a file up to which the lines of a document are counted, unless
// they are known: extracting text takes much longer than counting lines.
const countedDocument = 256 << 10

// A markName names a mark of a document at the end of a path, as in report.pdf#page=12.
type markName struct {
	kind documents.Kind // 0 if the path has none
	name string         // the number or the name of the mark
}

func (m markName) String() string { return m.kind.String() + " " + text.Excerpt(m.name) }

// findMark finds the mark that m names. The name of a sheet goes before the number of another one.
func (x *requestedFile) findMark(m markName) (place documents.Place, found bool, err error) {
	if m.kind == documents.Sheet {
		place, found, err = x.text.Find(func(mark documents.Mark) bool {
			return mark.Kind == m.kind && mark.Name == m.name
		})
	}
	if err != nil || found {
		return place, found, err
	}
	return x.text.Find(func(mark documents.Mark) bool {
		return mark.Kind == m.kind && strconv.Itoa(mark.Number) == m.name
	})
}

// A documentIndex is what is known about the text of a document. The workspace caches it with the
// name cachedDocument.
type documentIndex struct {
	*documents.Outline
	lines *lines.Index
}

const cachedDocument = "document"

func newDocumentIndex() documentIndex {
	return documentIndex{new(documents.Outline), lines.NewIndex()}
}

// CacheSize implements [workspace.Cacheable].
func (x documentIndex) CacheSize() int {
	const ofLines = 8 << 10 // for 256 MiB of text
	if x.Outline.Empty() {
		return 0
	}
	return x.Outline.Size() + ofLines
}

// openDocument returns the document in the file, or nil if it is none and no mark is selected.
func (x *requestedFile) openDocument() (*documents.Document, error) {
	d, err := documents.Open(x.call.ctx, x.call.settings.Documents, x.location.Path(), x.file)
	if err != nil {
		return nil, fileError(x.shown, err)
	}
	kind := x.selected.mark.kind
	if d == nil && kind != 0 {
		return nil, toolerror.BadArguments("%s is not a document, so it has no %s; give its path alone",
			x.shown, plural(kind.String()))
	}
	return d, nil
}

// documentSection returns the section with the selected lines of the text of a document.
func (x *requestedFile) documentSection(d *documents.Document) (section, error) {
	defer d.Close()
	err := admission.Reserve(x.call.ctx, documentBytes)
	if err != nil {
		return section{}, err
	}
	read := func(index documentIndex) (section, error) {
		x.outline = index.Outline
		x.text = d.Text(x.call.ctx, documents.Limits{}, x.outline)
		defer x.text.Close()
		return x.read(x.text, index.lines)
	}
	return workspace.Cached(x.file.CacheEntry(cachedDocument), newDocumentIndex, read)
}

// markedLines returns the selected part of the lines from the selected mark to the next.
func (x *requestedFile) markedLines() (lineRange, error) {
	m := x.selected.mark
	place, found, err := x.findMark(m)
	if err != nil {
		return lineRange{}, err
	}
	if !found {
		message := fmt.Sprintf("%s has no %s%s", x.shown, m, x.knownMarks(m.kind))
		return lineRange{}, &tool.Error{Kind: tool.NotFound, Message: message}
	}
	marked := lineRange{first: place.Line}
	next, found, err := x.text.Find(func(mark documents.Mark) bool {
		return mark.Kind == place.Kind && mark.Number == place.Number+1
	})
	if err != nil {
		return lineRange{}, err
	}
	if found {
		marked.last = max(next.Line-2, place.Line) // an empty line is before a mark
	}
	return x.selected.within(marked, "of "+m.String())
}

// knownMarks returns the clause of an error about the marks of a kind that a document has.
func (x *requestedFile) knownMarks(kind documents.Kind) string {
	var names []string
	last := 0
	for mark := range x.outline.Marks() {
		if mark.Kind == kind {
			last = max(mark.Number, mark.Total)
			names = append(names, text.Excerpt(mark.Name))
		}
	}
	const listed = 20
	switch {
	case last == 0:
		return "; it has no " + plural(kind.String())
	case kind == documents.Sheet && last <= listed:
		return "; its sheets are " + strings.Join(names, ", ")
	default:
		return fmt.Sprintf("; its last %s is %s", kind, grouped(last))
	}
}

// textNote returns the end of the heading for lines of a document: their marks, and that the lines
// are extracted text.
func (x *requestedFile) textNote(first, last int) string {
	if x.outline == nil {
		return ""
	}
	const note = ", extracted text"
	to, ok := x.outline.At(last)
	if !ok {
		return note
	}
	from, ok := x.outline.At(first)
	if !ok { // the lines begin before the first mark
		for mark := range x.outline.Marks() {
			from = mark
			break
		}
	}
	return ", " + marksFrom(from, to) + note
}

// marksFrom returns a range of marks of one kind, such as "pages 3-4 of 113".
func marksFrom(from, to documents.Mark) string {
	noun, of := from.Kind.String(), ""
	if from.Kind == documents.Page {
		of = " of " + grouped(from.Total)
	}
	name := func(m documents.Mark) string {
		if m.Kind == documents.Sheet {
			return text.Excerpt(m.Name)
		}
		return grouped(m.Number)
	}
	switch {
	case from == to:
		return noun + " " + name(from) + of
	case from.Kind == documents.Sheet:
		return plural(noun) + " " + name(from) + " to " + name(to)
	default:
		return plural(noun) + " " + name(from) + "-" + name(to) + of
	}
}
