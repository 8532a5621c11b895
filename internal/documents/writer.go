package documents

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"gander/internal/files/text"
)

// A Writer collects the text of a document and yields it as lines. Formats add text in pieces, each
// of which contains whole characters.
//
// What a format does with the current line:
//
//	Text, Run, Verbatim, Tab   add to it; Verbatim also ends lines
//	Begin, Heading, Item       end it, and begin one with a prefix
//	End, Gap, Break            end it, unless it is empty
//	Line, Mark                 end it, and write another line
//	StartTable to EndTable     end it for each row; a cell is text
//
// After an error, which includes that no more lines are wanted, a Writer writes nothing.
// Formats check [Writer.Err] at least once for each piece of their input.
type Writer struct {
	ctx        context.Context // ends the lines; formats add text without a context of their own
	first      int             // see First
	drops      bool            // lines are not wanted yet
	textBudget budget          // bytes of the lines
	yield      func(Line) bool
	err        error

	line     []byte
	lineMark Mark   // zero unless the line is a mark
	prefix   string // written before the first text of the line
	fixed    int    // bytes of the line that belong to the prefix
	gap      bool   // an empty line comes before the next line

	started   bool   // a line was written
	needsText bool   // the last line was a mark after which a line says so if no text follows
	unit      Mark   // what the text is in: a page, sheet, slide, cell or part
	tables    int    // around the text
	cells     int    // the number of cells in the current row so far
	covered   int    // cells after the current one that it covers
	span      string // what says that the current cell is merged with others

	blocks     []block // of the current page, or nil
	blockBytes int     // of these in memory
}

var errStopped = errors.New("no more lines are wanted")

// First returns the number of the mark from which on lines are wanted.
func (w *Writer) First() int { return w.first }

// Err returns the error that ended the document, if any.
func (w *Writer) Err() error { return w.err }

// Fail ends the document with err, if that is an error and none has ended it before. The blocks so
// far are written.
func (w *Writer) Fail(err error) {
	if err != nil {
		w.EndBlocks()
		w.err = cmp.Or(w.err, err)
	}
}

// Text adds text to the current line, and makes each run of white space a single space.
func (w *Writer) Text(b []byte) {
	const white = " \t\r\n\f"
	for len(b) > 0 {
		i := bytes.IndexAny(b, white)
		if i < 0 {
			w.Run(b)
			return
		}
		w.Run(b[:i])
		if n := len(w.line); n > 0 && w.line[n-1] != ' ' && w.line[n-1] != '\t' {
			w.Run([]byte{' '})
		}
		b = bytes.TrimLeft(b[i:], white)
	}
}

// Verbatim adds text of several lines as it is. A line feed ends a line, even an empty one.
func (w *Writer) Verbatim(b []byte) {
	for {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			w.Run(b)
			return
		}
		w.Run(bytes.TrimSuffix(b[:i], []byte{'\r'}))
		w.endLine()
		b = b[i+1:]
	}
}

// Line writes a line, even an empty one.
func (w *Writer) Line(b []byte) {
	w.End()
	w.Run(b)
	w.endLine()
}

// LeftOut writes the line that says what is left out, after the text of the document.
func (w *Writer) LeftOut() {
	w.Gap()
	w.Line([]byte("(deleted text of tracked changes is left out)"))
}

// Mark writes a mark, after an empty line unless it is the first line. Unless it is a section, it
// ends the tables around the text. If no text follows a mark that is neither a cell nor a section,
// a line says so.
func (w *Writer) Mark(m Mark) {
	w.End()
	if m.Kind != Section {
		w.finish()
		w.unit, w.tables, w.span = m, 0, ""
	}
	w.Gap()
	m.Name = cutName(strings.TrimSpace(m.Name), maxMarkName)
	w.lineMark = m
	w.Run([]byte(m.String()))
	w.endLine()
}

// finish ends the lines of the last mark.
func (w *Writer) finish() {
	w.End()
	w.EndBlocks()
	switch {
	case w.needsText && w.unit.Kind == Page:
		w.Line(fmt.Appendf(nil, "(no text; #page=%d shows the page as a picture)", w.unit.Number))
	case w.needsText:
		w.Line([]byte("(no text)"))
	}
}

// Heading begins a heading, after an empty line. A level out of 1 to 6 becomes the nearest.
func (w *Writer) Heading(level int) {
	w.Gap()
	w.prefix = strings.Repeat("#", min(max(level, 1), 6)) + " "
}

// Begin begins a line with a prefix, which is dropped if no text follows on the line.
func (w *Writer) Begin(prefix string) {
	w.End()
	w.prefix = text.Cut(Name(prefix), maxPrefix)
}

// maxPrefix is the maximum length of a prefix in bytes.
const maxPrefix = 256

// Bullet begins an item of a list without numbers.
const Bullet = "-"

// Item begins an item of a list, with its bullet or number. The outermost list has level 0.
func (w *Writer) Item(level int, bullet string) {
	w.Begin(strings.Repeat("  ", min(level, maxIndent)) + bullet + " ")
}

// Label adds the label of a heading or of an item in a table, unless it is a bullet or "".
func (w *Writer) Label(label string) {
	if label != "" && label != Bullet {
		w.Text([]byte(label + " "))
	}
}

// maxIndent is the level from which on items are not indented further.
const maxIndent = 16

// Blank reports whether the current line has no text.
func (w *Writer) Blank() bool { return len(bytes.TrimSpace(w.line[w.fixed:])) == 0 }

// End ends the current line, if it has text. A heading or an item without text is dropped.
func (w *Writer) End() {
	if !w.Blank() {
		w.line = bytes.TrimRight(w.line, " \t")
		w.endLine()
		return
	}
	w.line, w.prefix, w.fixed = w.line[:0], "", 0
}

// Gap is [Writer.End], and leaves an empty line before the next line.
func (w *Writer) Gap() {
	w.End()
	w.gap = true
}

// Run adds text to the current line with its spaces and tabs. Line ends are spaces. The part that
// exceeds the length of a line goes to the next.
func (w *Writer) Run(b []byte) {
	if w.err != nil || len(b) == 0 {
		return
	}
	if len(w.line) == 0 && w.prefix != "" {
		w.line = append(w.line, w.prefix...)
		w.fixed, w.prefix = len(w.line), ""
	}
	b = bytes.Map(cleaned, b)
	for len(w.line)+len(b) > MaxLine {
		n := len(text.Cut(b, MaxLine-len(w.line)))
		w.line = append(w.line, b[:n]...)
		w.endLine()
		b = b[n:]
	}
	w.line = append(w.line, b...)
}

// cleaned returns the character that stands for r in a line: a space for what ends a line, U+FFFD
// for other control characters and what is not UTF-8, or -1, which is none, for a soft hyphen, so
// that a search finds the word.
func cleaned(r rune) rune {
	switch r {
	case '\t':
		return r
	case '\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029':
		return ' '
	case '\u00ad':
		return -1
	}
	if r < ' ' || 0x7f <= r && r < 0xa0 {
		return utf8.RuneError
	}
	return r
}

// endLine writes the current line, even an empty one.
func (w *Writer) endLine() {
	if w.gap && w.started {
		w.write(Line{})
	}
	w.write(Line{w.line, w.lineMark})
	w.line, w.prefix, w.fixed = w.line[:0], "", 0
	w.gap, w.started = false, true
	w.needsText, w.lineMark = w.lineMark.needsText(), Mark{}
}

func (w *Writer) write(line Line) {
	if w.err != nil {
		return
	}
	if last := len(w.blocks) - 1; last >= 0 {
		w.blocks[last].lines = append(append(w.blocks[last].lines, line.Text...), '\n')
		w.countBlock(len(line.Text) + 1)
		return
	}
	w.err = w.ctx.Err()
	w.drops = w.drops && (!line.Mark.counted() || line.Mark.Number < w.first)
	if w.err != nil || w.drops {
		return
	}
	w.textBudget.used += int64(len(line.Text)) + 1
	switch {
	case w.textBudget.left() < 0:
		w.err = TooLargef("more than %d MiB of text", w.textBudget.limit>>20)
	case !w.yield(line):
		w.err = errStopped
	}
}

// Placeholder returns what stands for something that is not text, such as "[image: a map]". The
// description can be empty.
func Placeholder(what, description string) []byte {
	if description != "" {
		what += ": " + description
	}
	return []byte("[" + Name(what) + "]")
}
