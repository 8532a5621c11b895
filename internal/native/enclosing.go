package native

import (
	"regexp"
	"slices"
	"unicode"
	"unicode/utf8"

	"gander/internal/documents"
	"gander/internal/files/lines"
	"gander/internal/files/workspace"
)

// maxEnclosing is the maximum size of a line that begins a definition, in bytes. Longer lines are
// not added to results.
const maxEnclosing = 200

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
	file := s.start.location
	if result.rel != "" {
		file = file.Join(result.rel)
	}
	l, err := s.call.findEnclosing(file, result.number)
	if err != nil { // the result itself has been read
		return pageLine{}
	}
	return pageLine{
		kind: enclosingLine, path: result.path, number: l.number, fromAbove: far, fromBelow: 1,
		excerpt: excerpt{text: toValidUTF8([]byte(l.beginning))},
	}
}

// findEnclosing returns the line of a file that begins the definition around another one. Its
// number is 0 if it is far above or not looked for, as in a large file. The error is io.EOF if the
// file has become shorter.
func (c *call) findEnclosing(at workspace.Location, line int) (begin blockLine, err error) {
	file, kind, err := openFile(at)
	if err != nil {
		return begin, err
	}
	defer file.Close()
	isText := kind.encoding == utf8Text || kind.encoding == utf8BOM
	if !isText || file.Size() > countedBytes {
		return begin, nil
	}
	document, err := documents.Open(c.ctx, c.settings.Documents, at.Path(), file)
	if document != nil {
		document.Close()
	}
	if document != nil || err != nil { // the lines of a notebook are not those of its JSON
		return begin, err
	}
	r := c.newLineReader(at, kind.encoding.text(file), lines.NewIndex(), nil)
	defer r.cursor.Close()
	around, i, err := r.linesAround(line, maxBlock)
	if err != nil {
		return begin, err
	}
	i = around.enclosing(i)
	if i >= 0 && len(around[i].beginning) <= maxEnclosing {
		begin = around[i]
	}
	return begin, nil
}

// statements matches lines that begin with a word but begin no definition: control statements, and
// the access labels of C++.
var statements = regexp.MustCompile(`^(?:if|for|while|else|try|with|do|switch)\b|` +
	`^(?:public|private|protected)\s*:`)

// enclosing returns the line that begins the innermost definition of a function, a test or a
// section around a line, or of anything that is not indented. It returns -1 if there is none.
func (b blockLines) enclosing(at int) int {
	begin := b.above(at)
	for begin >= 0 && !b[begin].defines {
		l := b[begin]
		first, _ := utf8.DecodeRuneInString(l.content)
		isWord := first == '_' || unicode.IsLetter(first)
		if l.indent == 0 && isWord && !statements.MatchString(l.content) {
			break
		}
		begin = b.above(begin)
	}
	return begin
}
