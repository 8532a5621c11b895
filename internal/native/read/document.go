package read

import (
	"context"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"gander/internal/admission"
	"gander/internal/documents"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/native/extract"
	"gander/internal/native/lookup"
	"gander/internal/native/section"
	"gander/internal/native/wording"
	"gander/internal/tools/toolerror"
)

// documentBytes is the memory reserved for reading a document: a part of its text, and what its
// format keeps.
const documentBytes = 4 << 20

// countedDocument is the size of a file up to which the lines of a document are counted, unless
// they are known: extracting text takes much longer than counting lines.
const countedDocument = 256 << 10

// findMark finds the mark that m names. The name of a sheet goes before the number of another one.
func (x *requestedFile) findMark(m lookup.MarkName) (place documents.Place, found bool, err error) {
	if m.Kind == documents.Sheet {
		name := text.Escape(m.Name) // as results show it
		place, found, err = x.text.Find(func(mark documents.Mark) bool {
			return mark.Kind == m.Kind && text.Escape(mark.Name) == name
		})
	}
	if err != nil || found {
		return place, found, err
	}
	return x.text.Find(func(mark documents.Mark) bool {
		return mark.Kind == m.Kind && strconv.Itoa(mark.Number) == m.Name
	})
}

// openDocument returns the document in the file, or nil if it is none and no mark is selected.
func (x *requestedFile) openDocument(ctx context.Context) (*documents.Document, error) {
	d, err := documents.Open(ctx, x.call.Settings.Documents, x.location.Path(), x.file)
	if err != nil {
		return nil, lookup.FileError(x.shown, err)
	}
	kind := x.selected.mark.Kind
	if d == nil && kind != 0 {
		return nil, toolerror.BadArguments("%s is not a document, so it has no %s; give its path alone",
			x.shown, wording.Plural(kind.String()))
	}
	return d, nil
}

// documentSection returns the section with the selected lines of the text of a document.
func (x *requestedFile) documentSection(
	ctx context.Context, d *documents.Document,
) (section.Section, error) {
	defer d.Close()
	drawn, err := x.drawnSection(ctx, d)
	if err != nil || drawn.Heading != "" {
		return drawn, err
	}
	if err := admission.Reserve(ctx, documentBytes); err != nil {
		return section.Section{}, err
	}
	read := func(index extract.Index) (section.Section, error) {
		x.outline = index.Outline
		x.text = d.Text(ctx, documents.Limits{}, x.outline)
		defer x.text.Close()
		return x.read(ctx, x.text, index.Lines)
	}
	return workspace.Cached(x.file.CacheEntry(extract.Cached), extract.NewIndex, read)
}

// markedLines returns the selected part of the lines from the selected mark to the next.
func (x *requestedFile) markedLines(ctx context.Context) (lineRange, error) {
	m := x.selected.mark
	place, found, err := x.findMark(m)
	if err != nil {
		return lineRange{}, err
	}
	end := place
	if firstName, lastName, ok := strings.Cut(m.Name, "-"); !found && ok {
		place, found, err = x.findMark(lookup.MarkName{Kind: m.Kind, Name: firstName})
		if err != nil {
			return lineRange{}, err
		}
		var hasEnd bool
		end, hasEnd, err = x.findMark(lookup.MarkName{Kind: m.Kind, Name: lastName})
		if err != nil {
			return lineRange{}, err
		}
		found = found && hasEnd && end.Line >= place.Line
	}
	if !found {
		message := fmt.Sprintf("%s has no %s%s", x.shown, m, x.knownMarks(m.Kind))
		return lineRange{}, toolerror.New(fs.ErrNotExist, message)
	}
	marked := lineRange{first: place.Line}
	next, found, err := x.text.Find(func(mark documents.Mark) bool {
		return mark.Kind == place.Kind && mark.Number == end.Number+1
	})
	if err != nil {
		return lineRange{}, err
	}
	if found {
		marked.last = max(next.Line-2, end.Line) // an empty line is before a mark
	}
	return x.selected.within(ctx, marked, "of "+m.String())
}

// knownMarks returns the clause of an error about the marks of a kind that a document has.
func (x *requestedFile) knownMarks(kind documents.Kind) string {
	var names []string
	last := 0
	for _, place := range x.outline.Places() {
		if place.Kind == kind {
			last = max(place.Number, place.Total)
			names = append(names, text.Excerpt(place.Name))
		}
	}
	const listed = 20
	switch {
	case last == 0:
		return "; it has no " + wording.Plural(kind.String())
	case kind == documents.Sheet && last <= listed:
		return "; its sheets are " + strings.Join(names, ", ")
	default:
		return fmt.Sprintf("; its last %s is %s", kind, wording.Grouped(last))
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
		from = x.outline.Places()[0]
	}
	return ", " + marksFrom(from.Mark, to.Mark) + note
}

// marksFrom returns a range of marks of one kind as it can end a path, such as "#page=3-4 of 113".
func marksFrom(from, to documents.Mark) string {
	names := "#" + from.Kind.String() + "=" + markName(from)
	if from != to {
		names += "-" + markName(to)
	}
	if from.Kind == documents.Page {
		names += " of " + wording.Grouped(from.Total)
	}
	return names
}

// markName returns the name of a sheet, unless it must be escaped, or the number of another mark.
func markName(m documents.Mark) string {
	isSheet := m.Kind == documents.Sheet && m.Name != ""
	if isSheet && text.Excerpt(m.Name) == m.Name {
		return m.Name
	}
	return strconv.Itoa(m.Number)
}
