package search

import (
	"slices"

	"gander/internal/blocks"
	"gander/internal/documents"
	"gander/internal/files/lines"
	"gander/internal/files/workspace"
	"gander/internal/native/block"
	"gander/internal/native/call"
	"gander/internal/native/filekind"
)

// largeFile is the size of a file from which on no definitions are looked for.
const largeFile = 4 << 20

// addEnclosing adds the line that begins the definition around a result, as git grep -p does,
// above the lines near the result, unless it is among them.
func (s *textSearch) addEnclosing() {
	s.collected.flush()
	s.collected.fit()
	if s.collected.reach == (reach{}) {
		return
	}
	var all []pageLine
	last := pageLine{} // shown above
	for i, l := range s.collected.lines {
		if l.path != last.path {
			last.number = 0
		}
		if l.number > last.number+1 {
			begin := s.enclosingAbove(s.collected.lines[i:])
			if last.number < begin.number && begin.number < l.number {
				all = append(all, begin)
			}
		}
		all = append(all, l)
		last = l
	}
	s.collected.setLines(all)
}

// enclosingAbove returns the line that begins the definition around the first result among lines of
// the page, or one with the number 0.
func (s *textSearch) enclosingAbove(below []pageLine) pageLine {
	at := slices.IndexFunc(below, func(l pageLine) bool { return l.kind == resultLine })
	if at < 0 {
		return pageLine{}
	}
	result := below[at]
	file := s.Start.Location
	if result.rel != "" {
		file = file.Join(result.rel)
	}
	number, text, err := findEnclosing(s.Call, file, result.number)
	if err != nil { // the result itself has been read
		return pageLine{}
	}
	return pageLine{
		kind: enclosingLine, path: result.path, number: number, fromAbove: far, fromBelow: 1,
		excerpt: excerpt{text: toValidUTF8([]byte(text))},
	}
}

// findEnclosing returns the line of a file that begins the definition around another one. Its
// number is 0 if it is far above or not looked for, as in a large file. The error is io.EOF if the
// file has become shorter.
func findEnclosing(
	c *call.Call, at workspace.Location, line int,
) (begin int, text string, err error) {
	file, kind, err := filekind.Open(at)
	if err != nil {
		return 0, "", err
	}
	defer file.Close()
	isText := kind.Encoding == filekind.UTF8 || kind.Encoding == filekind.UTF8BOM
	if !isText || file.Size() > largeFile {
		return 0, "", nil
	}
	document, err := documents.Open(c.Ctx, c.Settings.Documents, at.Path(), file)
	if document != nil {
		document.Close()
	}
	if document != nil || err != nil { // the lines of a notebook are not those of its JSON
		return 0, "", err
	}
	cursor := lines.New(kind.Encoding.Text(file),
		lines.Options{Keep: block.Kept, Index: lines.NewIndex(), Pool: &c.Buffers})
	defer cursor.Close()
	return block.Source{Cursor: cursor, Language: blocks.ForFile(at.Path())}.Enclosing(c.Ctx, line)
}
