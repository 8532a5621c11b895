// Package blocks finds the function around a line of a text, or else the statement, the type or the
// section around it, in many languages.
//
// It is no parser. It knows the comments, the strings and the brackets of a language, what begins a
// function and where statements end; in languages without brackets, and in those that it does not
// know, the indentation shows the blocks. It never fails: a text that it misunderstands has other
// blocks than its author sees.
package blocks

import (
	"cmp"
	"slices"
)

// A Block is a number of adjacent lines of a text. The zero Block stands for no block.
type Block struct {
	First, Last int  // with the comments and the annotations above
	Head        int  // the line with the name of a function
	Body        int  // the last line of its signature
	IsFunction  bool // or a section of Markdown
	isWeak      bool // no function if one is around it
	isOpening   bool // it has a body and is no statement that runs
}

// Lines returns the number of lines of b.
func (b Block) Lines() int { return b.Last - b.First + 1 }

// A function in another one belongs to that one unless it is longer.
const smallFunction = 3

// A block that is no function grows until it has minShown lines, and further up to maxShown lines.
const minShown, maxShown = 10, 80

// Finder finds the blocks around lines of a text, whose lines it is given in order. It keeps at
// most [maxLevels] open blocks, and nothing of the text. A Finder is not safe for concurrent use.
type Finder struct {
	lexer     lexer
	structure structure
	asked     []asked // in order of line
	open      int     // the number of asked lines whose block can still grow
	run       int     // the first of the adjacent lines before this one that are not blank, or 0
}

// An asked line is one whose block is to be found.
type asked struct {
	line        int     // a blank line asks for the next one that is not
	first       int     // the line as it was asked for
	around      []Block // each one around the one before; at most [maxLevels]
	function    Block
	isOutermost bool // the outermost block around it has been seen
	hasRun      bool // the lines next to it have been seen
	done        bool
}

// NewFinder returns a finder of the blocks around lines of a text in a language. The lines must be
// positive and in ascending order. first is the number of the line that is added first; it must not
// be inside a block.
func NewFinder(l Language, first int, lines ...int) *Finder {
	f := &Finder{open: len(lines)}
	for _, line := range lines {
		f.asked = append(f.asked, asked{line: line, first: line})
	}
	f.structure.isAsked, f.structure.emit = f.isAsked, f.offer
	f.structure.start(&l, first)
	f.lexer.start(&l, &f.structure)
	return f
}

// Add adds the next line, without its end. A line whose text was cut must be added as cut: what is
// in it is not looked at. Add reports whether more lines can change a block.
func (f *Finder) Add(text []byte, cut bool) bool {
	if cut {
		text = nil
	}
	s := &f.structure
	indent, content := indentation(text)
	isBlank := len(content) == 0 && !cut
	if isBlank {
		f.endRun()
	} else {
		f.run = cmp.Or(f.run, s.line)
	}
	s.startLine(indent, isBlank, f.lexer.inText(), f.lexer.inString())
	f.lexer.scan(content)
	s.endLine(f.lexer.inString())
	if isBlank {
		here := f.within(s.line, s.line)
		for i := range here {
			here[i].line++
		}
	}
	s.line++
	return f.open > 0
}

// End says that the text has ended.
func (f *Finder) End() {
	f.endRun()
	s := &f.structure
	for len(s.levels) > 1 {
		s.closeInner(s.code)
	}
	s.end(s.code)
}

// endRun offers the adjacent lines above this one, which are not blank.
func (f *Finder) endRun() {
	if f.run == 0 {
		return
	}
	run := Block{First: f.run, Last: f.structure.line - 1}
	f.run = 0
	within := f.within(run.First, run.Last)
	for i := range within {
		a := &within[i]
		if a.done {
			continue
		}
		a.around = append(a.around, run)
		a.hasRun = true
		f.settle(a, a.isOutermost)
	}
}

// settle notes whether nothing else can be the block around an asked line.
func (f *Finder) settle(a *asked, isDone bool) {
	if isDone {
		a.done = true
		f.open--
	}
}

// within returns the asked lines from a line to another one.
func (f *Finder) within(first, last int) []asked {
	compare := func(a asked, line int) int { return cmp.Compare(a.line, line) }
	from, _ := slices.BinarySearchFunc(f.asked, first, compare)
	to, _ := slices.BinarySearchFunc(f.asked, last+1, compare)
	return f.asked[from:max(from, to)]
}

func (f *Finder) isAsked(first, last int) bool {
	return slices.ContainsFunc(f.within(first, last), func(a asked) bool { return !a.done })
}

// offer adds a block that ends with this line or before. An outermost block is the last one around
// its lines.
func (f *Finder) offer(b Block, isOutermost bool) {
	within := f.within(b.First, b.Last)
	for i := range within {
		a := &within[i]
		if a.done {
			continue
		}
		isLarge := b.Lines() > smallFunction || f.structure.l.headings
		isFirst := a.function == (Block{}) || a.function.isWeak
		if b.IsFunction && (isLarge || isFirst) {
			a.function = b
		}
		if len(a.around) < maxLevels {
			a.around = append(a.around, b)
		}
		a.isOutermost = a.isOutermost || isOutermost
		isFinal := b.IsFunction && isLarge && !b.isWeak
		hasFunction := isOutermost && a.function != Block{}
		hasAll := a.isOutermost && a.hasRun
		f.settle(a, isFinal || hasFunction || hasAll)
	}
}

// Block returns the block around the i-th of the lines, of at most limit lines unless it is a
// function. ok is false if there is none.
func (f *Finder) Block(i, limit int) (b Block, ok bool) {
	a := &f.asked[i]
	b, ok = a.function, true
	if b == (Block{}) {
		b, ok = a.grown(limit)
	}
	if !ok {
		return Block{}, false
	}
	b.First, b.Last = min(b.First, a.first), max(b.Last, a.first)
	return b, ok
}

// grown returns the smallest block around a that has minShown lines, or a larger one of at most
// maxShown lines.
func (a *asked) grown(limit int) (b Block, ok bool) {
	bySize := slices.SortedStableFunc(slices.Values(a.around), func(a, b Block) int {
		return cmp.Compare(a.Lines(), b.Lines())
	})
	for _, next := range bySize {
		most := limit
		if ok && b.Lines() >= minShown {
			most = min(limit, maxShown)
		}
		if next.Lines() > most {
			break
		}
		b, ok = next, true
	}
	return b, ok
}

// Head returns the line with the name of the function around the i-th of the lines, or else the
// first line of the outermost block around it, such as a type. It is 0 if that is this line.
func (f *Finder) Head(i int) int {
	a := &f.asked[i]
	head := a.function.Head
	for _, b := range a.around {
		if a.function == (Block{}) && b.isOpening {
			head = b.Head
		}
	}
	if head == a.line {
		return 0
	}
	return head
}

// indentation returns the width of the space at the beginning of a line, where a tab stands for
// four, and the rest.
func indentation(text []byte) (width int, rest []byte) {
	for i, c := range text {
		switch c {
		case ' ', '\r', '\f', '\v':
			width++
		case '\t':
			width += tabWidth - width%tabWidth
		default:
			return width, text[i:]
		}
	}
	return width, nil
}

const tabWidth = 4
