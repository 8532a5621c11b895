package native

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"

	"gander/internal/files/lines"
)

const (
	// maxBlock is the maximum number of lines of a block if no limit is given.
	maxBlock = 200
	// If no limit is given, a block grows until it is a definition or has minShown lines, and
	// further up to maxShown lines. Around 200 lines in Go, Python and JavaScript, this shows the
	// whole definition for 98 % of them with 22 lines on average; the largest block would do so for
	// 99 % with 39 lines. It shows the whole entry for 97 % of 150 lines in YAML with 42 lines, and
	// the whole section for 97 % of 150 lines in Markdown with 31 lines.
	minShown, maxShown = 10, 80
	// tabWidth is the indentation that a tab counts as.
	tabWidth = 4
)

// A blockLine has the properties of a line that determine its blocks.
type blockLine struct {
	number, indent int
	blank          bool
	closes         bool // it begins with the end of a block, such as a brace
	comments       bool // it is a comment, or an annotation of the next line
	starred        bool // it is a further line of a comment, as in Java
	defines        bool // it begins the definition of a function or a test, or a section
	fences         bool // it begins or ends code in Markdown
	level          int  // of a heading in Markdown, or 0
}

// isAbove reports whether the line is part of a comment above a line with the given indentation.
func (l blockLine) isAbove(indent int) bool {
	return l.comments && (l.indent == indent || l.starred && l.indent == indent+1)
}

// findBlock sets offset and limit to a block around the requested line: the largest one within the
// limit if there is a limit, and otherwise one that can be read at a glance. The error is io.EOF if
// the file has no such line.
func (x *textFile) findBlock() error {
	line, enough, ample := x.request.block, minShown, maxShown
	limit := min(cmp.Or(x.request.limit, maxBlock), max(x.call.budget.minimum()/2, 1))
	if x.request.limit > 0 {
		enough, ample = limit, limit
	}
	around, at, err := x.linesAround(line, limit)
	if err != nil {
		return err
	}
	b := blocks{lines: around, limit: limit}
	if first, last, ok := b.around(at, enough, ample); ok {
		x.request.offset, x.request.limit = around[first].number, last-first+1
		x.note = ", the block around line " + number(line)
		return nil
	}
	x.request.offset, x.request.limit = max(1, line-limit/4), limit
	x.note = fmt.Sprintf(", because no block of at most %s is around line %s",
		count(limit, "line"), number(line))
	return nil
}

// linesAround returns a line with at most limit lines before and after it, and its index among
// them. The error is io.EOF if the file is shorter.
func (x *textFile) linesAround(number, limit int) (around []blockLine, at int, err error) {
	if err := x.cursor.Seek(x.call.ctx, number); err != nil {
		return nil, 0, err
	}
	describe := describer(path.Ext(x.location.Path()) == ".md")
	here := x.cursor.Position()
	above, err := x.collect(x.cursor.Prev, limit, describe)
	if err != nil {
		return nil, 0, err
	}
	slices.Reverse(above)
	x.cursor.Move(here)
	below, err := x.collect(x.cursor.Next, limit+1, describe)
	around = append(above, below...)
	indentSections(around)
	return around, len(above), err
}

// collect returns the lines of at most limit steps of the cursor.
func (x *textFile) collect(
	step func(context.Context) (lines.Line, error), limit int, describe func(*blockLine, []byte),
) (collected []blockLine, err error) {
	for range limit {
		l, err := step(x.call.ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		indent, content, err := x.cursor.Indent(x.call.ctx, l, tabWidth)
		if err != nil {
			return nil, err
		}
		b := blockLine{number: l.Number, indent: indent, blank: len(content) == 0}
		describe(&b, content)
		collected = append(collected, b)
	}
	return collected, nil
}

// describer returns a function that determines the properties of a line from its text after the
// indentation.
func describer(markdown bool) func(l *blockLine, content []byte) {
	if markdown {
		heading, fences := regexp.MustCompile("^(#{1,6})(?: |$)"), regexp.MustCompile("^(?:```|~~~)")
		return func(l *blockLine, content []byte) {
			l.fences = fences.Match(content)
			if m := heading.FindSubmatch(content); m != nil {
				l.level = len(m[1])
			}
		}
	}
	closes := regexp.MustCompile(`^(?:[})\]]|</|end(?:[ \t;.,)]|$))`)
	comments := regexp.MustCompile(`^(?://|#|/\*|\*|--|@|;;|""")`)
	defines := regexp.MustCompile(`^(?:(?:export|default|async|pub|public|private|protected|static)` +
		`[ \t]+)*(?:func|def|function\*?|fn|fun|sub|it|test)(?:[ \t(]|$)`)
	return func(l *blockLine, content []byte) {
		l.closes, l.comments = closes.Match(content), comments.Match(content)
		l.starred = !l.blank && content[0] == '*'
		l.defines = defines.Match(content)
	}
}

// indentSections gives the headings of Markdown a negative indentation, which makes them open
// blocks.
func indentSections(around []blockLine) {
	fenced := false
	for i := range around {
		l := &around[i]
		if fenced = fenced != l.fences; l.level > 0 && !fenced {
			l.indent, l.defines = l.level-10, true
		}
	}
}

// blocks finds blocks by indentation among adjacent lines.
type blocks struct {
	lines []blockLine
	limit int // the maximum number of lines of a block
}

// around returns the first and the last line of a block around a line: the smallest one that is a
// definition or has enough lines, or a larger one of at most ample lines. A line that opens a block
// belongs to it. For a line outside all blocks, around returns the lines up to the next blank ones.
// ok is false if no block is within b.limit.
func (b blocks) around(at, enough, ample int) (first, last int, ok bool) {
	for at < len(b.lines)-1 && b.lines[at].blank {
		at++
	}
	for at > 0 && b.lines[at].blank {
		at--
	}
	head := at
	if !b.opens(at) {
		if head = b.above(at); head < 0 {
			if b.lines[at].indent > 0 && b.lines[0].number > 1 {
				return 0, 0, false // the line that opens it is further above
			}
			first, last = b.paragraph(at)
			return first, last, last-first < b.limit
		}
	}
	for ; head >= 0; head = b.above(first) {
		start, end := b.extent(head)
		lines := end - start + 1
		if end < at || lines > b.limit || lines > ample && ok && last-first+1 >= enough {
			break
		}
		first, last, ok = start, end, true
		if b.lines[head].defines && enough < b.limit {
			break
		}
	}
	return first, last, ok
}

// opens reports whether the next line that is not blank is indented further.
func (b blocks) opens(at int) bool {
	for _, l := range b.lines[at+1:] {
		if !l.blank {
			return l.indent > b.lines[at].indent
		}
	}
	return false
}

// above returns the line that opens the innermost block around a line, or -1: the nearest line
// above with a smaller indentation. The line that ends a block belongs to it.
func (b blocks) above(at int) int {
	indent := b.lines[at].indent
	if b.lines[at].closes {
		indent++
	}
	for i := at - 1; i >= 0; i-- {
		if l := b.lines[i]; !l.blank && l.indent < indent {
			if !l.closes {
				return i
			}
			indent = l.indent + 1 // it continues what a line above has opened
		}
	}
	return -1
}

// extent returns the first and the last line of the block that a line opens: the comments above it,
// the following lines with a larger indentation, and the line that ends it.
func (b blocks) extent(head int) (first, last int) {
	first, last = head, head
	indent := b.lines[head].indent
	for first > 0 && b.lines[first-1].isAbove(indent) {
		first--
	}
	for i := head + 1; i < len(b.lines); i++ {
		l := b.lines[i]
		ends := l.indent == indent && l.closes
		if l.blank {
			continue
		}
		if l.indent > indent || ends {
			last = i
		}
		if l.indent <= indent && !(ends && b.opens(i)) {
			break
		}
	}
	return first, last
}

// paragraph returns the first and the last of the adjacent lines around a line that are not blank.
func (b blocks) paragraph(at int) (first, last int) {
	first, last = at, at
	for first > 0 && !b.lines[first-1].blank {
		first--
	}
	for last < len(b.lines)-1 && !b.lines[last+1].blank {
		last++
	}
	return first, last
}
