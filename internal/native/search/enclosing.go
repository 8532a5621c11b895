package search

import (
	"context"
	"io"
	"slices"
	"time"

	"gander/internal/blocks"
	"gander/internal/documents"
	"gander/internal/files/lines"
	"gander/internal/files/workspace"
	"gander/internal/native/block"
	"gander/internal/native/extract"
	"gander/internal/native/filekind"
	"gander/internal/native/section"
)

const (
	largeFile   = 4 << 20 // the size of a file from which on no blocks are looked for
	mostHeads   = 100     // if there are more results, no definitions are looked for
	headsShare  = 10      // definitions above many results take at most the page divided by this
	headingSize = 1000    // left for the heading and the markers when lines are added to a page
)

// addEnclosing adds the line that begins the definition around a result, as git grep -p does, above
// the lines near the result, once for each definition and unless it is among them.
func (s *textSearch) addEnclosing(ctx context.Context) {
	until := time.Now().Add(documentTime)
	c := s.collected
	c.flush()
	c.fit()
	var all []pageLine
	var added section.Size
	for begin := 0; begin < len(c.lines); {
		end := begin + slices.IndexFunc(c.lines[begin:], func(l pageLine) bool {
			return l.path != c.lines[begin].path
		})
		if end < begin {
			end = len(c.lines)
		}
		for _, l := range s.withHeads(ctx, c.lines[begin:end], until) {
			all = append(all, l)
			if l.kind == enclosingLine {
				added = added.Plus(section.LineSize(l.render(true)))
			}
		}
		begin = end
	}
	isMany := c.reach == (reach{})
	total := c.size.Plus(added).Plus(section.Size{Bytes: headingSize, Chars: headingSize})
	isLarge := added.Bytes > s.report.Page.Budget.Minimum()/headsShare
	if isMany && (isLarge || !s.report.Page.Budget.Fits(total)) {
		return
	}
	c.setLines(all)
}

// withHeads returns the lines of a file with those that begin the definitions around them.
// Documents are read again until a time.
func (s *textSearch) withHeads(
	ctx context.Context, of []pageLine, until time.Time,
) (all []pageLine) {
	heads := s.heads(ctx, of, until)
	reached := 0 // the last line above
	for i, l := range of {
		if l.number > reached+1 {
			next := slices.IndexFunc(of[i:], func(l pageLine) bool { return l.kind == resultLine })
			if next >= 0 {
				head := heads[of[i+next].number]
				if reached < head.Number && head.Number < l.number {
					all = append(all, s.enclosing(l.path, head))
				}
			}
		}
		all = append(all, l)
		reached = l.number
	}
	return all
}

// enclosing returns the line that begins a definition, to be shown above a result.
func (s *textSearch) enclosing(path string, head block.Line) pageLine {
	l := pageLine{kind: enclosingLine, path: path, number: head.Number, fromAbove: far, fromBelow: 1}
	if s.collected.reach == (reach{}) {
		l.fromBelow = 0
	}
	l.text = toValidUTF8([]byte(head.Text))
	return l
}

// heads returns the lines that begin the definitions around the results among lines of a file, by
// the numbers of the results. It returns none if no blocks are looked for in the file. A file that
// cannot be read again counts as unreadable.
func (s *textSearch) heads(
	ctx context.Context, of []pageLine, until time.Time,
) map[int]block.Line {
	asked := resultNumbers(of)
	first := slices.IndexFunc(of, func(l pageLine) bool { return l.kind == resultLine })
	if first < 0 {
		return nil
	}
	heads := make(map[int]block.Line)
	hasBlocks := false
	look := func(source block.Source) error {
		hasBlocks = true
		found, err := source.Enclosing(ctx, asked...)
		for i := range found {
			heads[asked[i]] = found[i]
		}
		return err
	}
	if s.request.fewContext {
		_ = s.withBlocks(ctx, of[first], look) // the search has ended if the context has
	}
	if !hasBlocks {
		return s.marks(ctx, of[first], asked, until)
	}
	return heads
}

// marks returns the marks of the parts of a document around the results with some numbers, such as
// its pages. It returns none for another file.
func (s *textSearch) marks(
	ctx context.Context, result pageLine, asked []int, until time.Time,
) map[int]block.Line {
	file, err := s.location(result).File()
	if err != nil {
		return nil
	}
	defer file.Close()
	outline := s.outline(ctx, file, result.path, until)
	if outline == nil {
		return nil
	}
	heads := make(map[int]block.Line)
	for _, number := range asked {
		place, _ := outline.At(number)
		heads[number] = block.Line{Number: place.Line, Text: place.String()}
	}
	return heads
}

// outline returns where the parts of a document are: as the search has cached it or, if nothing is
// cached for the file, by reading its text again until a time. It returns nil for another file.
func (s *textSearch) outline(
	ctx context.Context, file *workspace.File, name string, until time.Time,
) *documents.Outline {
	cached := file.CacheEntry(extract.Cached)
	if index, ok := cached.Value().(extract.Index); ok {
		return index.Outline
	}
	left := time.Until(until)
	if left <= 0 {
		return nil
	}
	d, err := documents.Open(ctx, s.report.Call.Settings.Documents, name, file)
	if d == nil || err != nil {
		return nil
	}
	outline := new(documents.Outline)
	text := d.Text(ctx, documents.Limits{Time: left}, outline)
	defer text.Close()                         // and the document
	_, _ = io.Copy(io.Discard, text.Reader(0)) // The search has reported its errors.
	return outline
}

func resultNumbers(of []pageLine) (numbers []int) {
	for _, l := range of {
		if l.kind == resultLine {
			numbers = append(numbers, l.number)
		}
	}
	return numbers
}

// withBlocks passes the file of a result to look, unless no blocks are looked for in it. A file
// that cannot be read again counts as unreadable: its results are shown without their blocks. A
// file that has become shorter does not count. The error is that of the context.
func (s *textSearch) withBlocks(
	ctx context.Context, result pageLine, look func(block.Source) error,
) error {
	err := s.openBlocks(ctx, result, look)
	if err != nil && err != io.EOF {
		s.report.AddUnreadable(result.path, err)
	}
	return ctx.Err()
}

// openBlocks passes the file of a result to look, except a large file, and a document, the lines of
// whose text are not those of the file.
func (s *textSearch) openBlocks(
	ctx context.Context, result pageLine, look func(block.Source) error,
) error {
	at := s.location(result)
	file, kind, err := filekind.Open(at)
	if err != nil {
		return err
	}
	defer file.Close()
	isText := kind.IsText && kind.Encoding.IsUTF8()
	document, err := documents.Open(ctx, s.report.Call.Settings.Documents, at.Path(), file)
	if document != nil {
		document.Close()
	}
	if !isText || document != nil || err != nil || file.Size() > largeFile {
		return err
	}
	mark := kind.Encoding.Mark
	cursor := lines.New(io.NewSectionReader(file, mark, file.Size()-mark),
		lines.Options{Keep: block.Kept, Index: lines.NewIndex(), Pool: &s.report.Call.Buffers})
	defer cursor.Close()
	return look(block.Source{Cursor: cursor, Language: blocks.ForFile(at.Path())})
}

// location returns where the file of a result is.
func (s *textSearch) location(result pageLine) workspace.Location {
	if result.rel == "" {
		return s.report.Start.Location
	}
	return s.report.Start.Location.Join(result.rel)
}
