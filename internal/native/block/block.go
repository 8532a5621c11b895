// Package block finds the function, the section or another block around a line of a file.
package block

import (
	"context"
	"io"
	"path"
	"regexp"
	"slices"

	"gander/internal/files/lines"
)

const (
	MaxLines     = 200  // lines, unless a limit is given
	LargestLines = 1000 // lines, whatever limit is given: as many are kept on each side of the line
	// A block grows until it is a definition or has minShown lines, and further up to maxShown lines.
	// Around 200 lines in Go, Python and JavaScript, this shows the whole definition for 98 % of them
	// with 22 lines on average; the largest block would do so for 99 % with 39 lines. It shows the
	// whole entry for 97 % of 150 lines in YAML with 42 lines, and the whole section for 97 % of 150
	// lines in Markdown with 31 lines.
	minShown, maxShown = 10, 80
	maxDescribed       = 200 // bytes after the indentation that determine the properties of a line
	tabWidth           = 4
	// maxEnclosing is the maximum size of a line that begins a definition, in bytes. Longer lines are
	// not added to results.
	maxEnclosing = 200
	// keptForBlocks is how many bytes of a line the cursor of a source must keep.
	Kept = 8 << 10
)

// A Source is a file, or the text of a document, in which blocks are looked for.
type Source struct {
	Cursor *lines.Cursor
	Form   Form
}

// A Form is what shows where the blocks of a text begin.
type Form uint8

const (
	byIndentation Form = iota
	ByHeading          // of Markdown
	byMark             // of a document
)

// FormOf returns the form of the blocks in a file with a path, or in the text of a document.
func FormOf(file string, isDocument bool) Form {
	switch {
	case isDocument:
		return byMark
	case path.Ext(file) == ".md":
		return ByHeading
	default:
		return byIndentation
	}
}

// Around returns the first and the last line of the block around a line. ok is false if no block
// has at most limit lines. The error is io.EOF if the file has no such line.
func (r Source) Around(ctx context.Context, line, limit int) (first, last int, ok bool, err error) {
	around, at, err := r.linesAround(ctx, line, limit)
	if err != nil {
		return 0, 0, false, err
	}
	begin, end, ok := around.block(at, limit)
	if !ok {
		return 0, 0, false, nil
	}
	return around[begin].number, around[end].number, true, nil
}

// Enclosing returns the line that begins the definition around another one. Its number is 0 if it
// is far above or long. The error is io.EOF if the file has no such line.
func (r Source) Enclosing(ctx context.Context, line int) (number int, text string, err error) {
	around, at, err := r.linesAround(ctx, line, MaxLines)
	if err != nil {
		return 0, "", err
	}
	i := around.enclosing(at)
	if i < 0 || len(around[i].beginning) > maxEnclosing {
		return 0, "", nil
	}
	return around[i].number, around[i].beginning, nil
}

type blockLine struct {
	number, indent int
	content        string // at most maxDescribed bytes after the indentation; "" for a blank line
	beginning      string // with the indentation: all of it, or maxEnclosing bytes and one more
	closes         bool   // it begins with the end of a block, such as a brace
	comments       bool   // it is a comment, or an annotation of the next line
	defines        bool   // it begins the definition of a function or a test, or a section
}

func (l blockLine) blank() bool { return l.content == "" }

// linesAround returns a line with at most limit lines before and after it, and its index among
// them. The error is io.EOF if the file has no such line.
func (r Source) linesAround(
	ctx context.Context, number, limit int,
) (around blockLines, at int, err error) {
	if err := r.Cursor.Seek(ctx, number); err != nil {
		return nil, 0, err
	}
	here := r.Cursor.Position()
	above, err := r.collect(ctx, r.Cursor.Prev, limit)
	if err != nil {
		return nil, 0, err
	}
	slices.Reverse(above)
	r.Cursor.Move(here)
	below, err := r.collect(ctx, r.Cursor.Next, limit+1)
	if err == nil && len(below) == 0 { // the file has become shorter
		err = io.EOF
	}
	if err != nil {
		return nil, 0, err
	}
	around = append(above, below...)
	switch r.Form {
	case byMark: // which looks like a heading
		around.describeMarkdown(fence{})
	case ByHeading:
		open, err := r.fenceBefore(ctx, around[0].number)
		if err != nil {
			return nil, 0, err
		}
		around.describeMarkdown(open)
	default:
		around.describeCode()
	}
	return around, len(above), nil
}

// collect returns the lines of at most limit steps of the cursor.
func (r Source) collect(ctx context.Context,
	step func(context.Context) (lines.Line, error), limit int,
) (collected blockLines, err error) {
	for range limit {
		l, err := step(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		b := blockLine{number: l.Number, beginning: string(l.Text[:min(len(l.Text), maxEnclosing+1)])}
		indent, content, err := r.Cursor.Indent(ctx, l, tabWidth)
		if err != nil {
			return nil, err
		}
		b.indent, b.content = indent, string(content[:min(len(content), maxDescribed)])
		collected = append(collected, b)
	}
	return collected, nil
}

// blockLines are adjacent lines of a file, among which indentation shows the blocks.
type blockLines []blockLine

// These match the beginning of a line, after its indentation.
var (
	blockEnd       = regexp.MustCompile(`^(?:[})\]]|</|end(?:[ \t;.,)]|$))`)
	commentStart   = regexp.MustCompile(`^(?://|#|/\*|\*|--|@|;;|""")`)
	directiveStart = regexp.MustCompile(`^#(?:include|define|undef|if|ifdef|ifndef|elif|else|endif|` +
		`pragma|error)\b`)
	definitionStart = regexp.MustCompile(`^(?:(?:export|default|async|pub|public|private|protected|` +
		`static)[ \t]+)*(?:func|def|function\*?|fn|fun|sub|it|test)(?:[ \t(]|$)`)
)

// describeCode determines the properties of lines of code from their texts.
func (b blockLines) describeCode() {
	for i := range b {
		l := &b[i]
		l.closes = blockEnd.MatchString(l.content)
		isDirective := directiveStart.MatchString(l.content) // a directive of the C preprocessor
		l.comments = commentStart.MatchString(l.content) && !isDirective
		l.defines = definitionStart.MatchString(l.content)
	}
}

// block returns the first and the last line of a block around a line. For a blank line, that is
// the block around the next line that is not blank, or else the last one, with the lines between.
// ok is false if no block has at most limit lines.
func (b blockLines) block(line, limit int) (first, last int, ok bool) {
	at := line
	for at < len(b)-1 && b[at].blank() {
		at++
	}
	for at > 0 && b[at].blank() {
		at--
	}
	first, last, ok = b.blockAt(at, limit)
	first, last = min(first, line), max(last, line)
	return first, last, ok && last-first < limit
}

// blockAt returns the first and the last line of a block around a line that is not blank: the
// smallest one that is a definition or has minShown lines, or a larger one of at most maxShown
// lines. A line that opens a block belongs to it. For a line outside all blocks, blockAt returns
// the lines up to the next blank ones. ok is false if no block has at most limit lines.
func (b blockLines) blockAt(at, limit int) (first, last int, ok bool) {
	head := at
	if !b.opens(at) {
		head = b.above(at)
	}
	if head < 0 {
		first, last = b.paragraph(at)
		aboveAll := b[at].indent == 0 || b[0].number == 1 // no line further above opens a block
		return first, last, aboveAll && last-first < limit
	}
	for ; head >= 0; head = b.above(first) {
		start, end := b.extent(head)
		most := limit
		if ok && last-first+1 >= minShown {
			most = min(limit, maxShown)
		}
		if end < at || end-start+1 > most {
			break
		}
		first, last, ok = start, end, true
		if b[head].defines {
			break
		}
	}
	return first, last, ok
}

// opens reports whether the next line that is not blank is indented further.
func (b blockLines) opens(at int) bool {
	i := slices.IndexFunc(b[at+1:], func(l blockLine) bool { return !l.blank() })
	return i >= 0 && b[at+1+i].indent > b[at].indent
}

// above returns the line that opens the innermost block around a line, or -1: the nearest line
// above with a smaller indentation. The line that ends a block belongs to it.
func (b blockLines) above(at int) int {
	indent := b[at].indent
	if b[at].closes {
		indent++
	}
	for i := at - 1; i >= 0; i-- {
		if l := b[i]; !l.blank() && l.indent < indent {
			if !l.closes {
				return i
			}
			indent = l.indent + 1 // it continues what a line above has opened
		}
	}
	return -1
}

// extent returns the first and the last line of the block that a line opens: the comments above it,
// which in Java are indented by one more, the following lines with a larger indentation, and the
// line that ends it.
func (b blockLines) extent(head int) (first, last int) {
	first, last = head, head
	indent := b[head].indent
	above := []int{indent, indent + 1}
	for first > 0 {
		l := b[first-1]
		if !l.comments || !slices.Contains(above, l.indent) {
			break
		}
		first--
	}
	for i := head + 1; i < len(b); i++ {
		switch l := b[i]; {
		case l.blank():
		case l.indent > indent:
			last = i
		case l.indent == indent && l.closes:
			last = i
			if !b.opens(i) {
				return first, last
			}
		default:
			return first, last
		}
	}
	return first, last
}

// paragraph returns the first and the last of the adjacent lines around a line that are not blank.
func (b blockLines) paragraph(at int) (first, last int) {
	first, last = at, at
	for first > 0 && !b[first-1].blank() {
		first--
	}
	for last < len(b)-1 && !b[last+1].blank() {
		last++
	}
	return first, last
}
