package documents

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"

	"gander/internal/files/text"
)

// A Writer collects the text of a document and yields it as lines. Formats add text in pieces, each
// of which contains whole characters.
//
// After an error, which includes that no more lines are wanted, a Writer ignores what is written.
// Formats check [Writer.Err] at least once for each piece of their input.
type Writer struct {
	ctx   context.Context // that of the call for which the lines are written
	yield func(Line) bool
	text  budget

	first int // see First
	ahead int // marks up to the first line that is wanted; lines before it are dropped

	line    []byte
	mark    Mark   // the mark of the current line
	prefix  string // written before the first text of the line
	fixed   int    // bytes of the line that belong to the prefix
	gap     bool   // an empty line comes before the next line
	started bool   // a line was written
	last    Mark   // the mark of the last line
	kind    Kind   // the kind of the last mark that is no section
	tables  int    // around the text
	cells   int    // the number of cells in the current row so far

	err error
}

var errStopped = errors.New("no more lines are wanted")

func newWriter(ctx context.Context, limit int64, yield func(Line) bool) *Writer {
	return &Writer{ctx: ctx, yield: yield, text: budget{limit: limit}}
}

// First returns the number of the mark at which a [Seeker] starts. Marks are counted from 1, without
// sections.
func (w *Writer) First() int { return w.first }

// Err returns the error that ended the document, if any.
func (w *Writer) Err() error { return w.err }

// Fail ends the document with err, if that is an error and none has ended it before.
func (w *Writer) Fail(err error) { w.err = cmp.Or(w.err, err) }

// Text adds text to the current line, and makes each run of white space a single space.
func (w *Writer) Text(b []byte) {
	const white = " \t\r\n\f"
	for len(b) > 0 {
		i := bytes.IndexAny(b, white)
		if i < 0 {
			w.add(b)
			return
		}
		w.add(b[:i])
		if n := len(w.line); n > 0 && w.line[n-1] != ' ' && w.line[n-1] != '\t' {
			w.add([]byte{' '})
		}
		b = bytes.TrimLeft(b[i:], white)
	}
}

// Run adds text to the current line with its spaces and tabs. Line ends are spaces.
func (w *Writer) Run(b []byte) { w.add(b) }

// Verbatim adds text of several lines as it is. A line feed ends a line, even an empty one.
func (w *Writer) Verbatim(b []byte) {
	for {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			w.add(b)
			return
		}
		w.add(bytes.TrimSuffix(b[:i], []byte{'\r'}))
		w.put()
		b = b[i+1:]
	}
}

// Line writes a line, even an empty one.
func (w *Writer) Line(b []byte) {
	w.End()
	w.add(b)
	w.put()
}

// Mark writes a mark, after an empty line unless it is the first line. If no text follows a mark
// that is neither a cell nor a section, a line says so.
func (w *Writer) Mark(m Mark) {
	w.End()
	if m.Kind != Section {
		w.finish()
		w.kind, w.tables = m.Kind, 0
	}
	w.Gap()
	m.Name = markName(m.Name)
	w.mark = m
	w.add([]byte(m.line()))
	w.put()
}

// finish ends the lines of the last mark.
func (w *Writer) finish() {
	w.End()
	if w.last.needsText() {
		w.Line([]byte("(no text)"))
	}
}

// markName returns a name of a mark in at most maxMarkName bytes that a line can contain.
func markName(s string) string {
	s = strings.TrimSpace(clean(s))
	if len(s) > maxMarkName {
		s = text.Cut(s, maxMarkName-len("...")) + "..."
	}
	return s
}

// Heading begins a heading, after an empty line. A level out of 1 to 6 becomes the nearest.
func (w *Writer) Heading(level int) {
	w.Gap()
	w.prefix = strings.Repeat("#", min(max(level, 1), 6)) + " "
}

// Begin begins a line with a prefix, which is dropped if no text follows on the line.
func (w *Writer) Begin(prefix string) {
	w.End()
	w.prefix = text.Cut(clean(prefix), maxPrefix)
}

// maxPrefix is the maximum length of a prefix in bytes.
const maxPrefix = 256

// Bullet is what begins an item of a list without numbers.
const Bullet = "-"

// Item begins an item of a list, with its bullet or number. Level 0 is that of the outermost list.
func (w *Writer) Item(level int, bullet string) {
	w.Begin(strings.Repeat("  ", min(level, maxIndent)) + bullet + " ")
}

// NextItem begins the next item of a list: with the number next, which it increments, or with a
// bullet if that is 0.
func (w *Writer) NextItem(level int, next *int) {
	bullet := Bullet
	if *next > 0 {
		bullet = strconv.Itoa(*next) + "."
		*next++
	}
	w.Item(level, bullet)
}

// maxIndent is the level from which on items are not indented further.
const maxIndent = 16

// Blank reports whether the current line has no text.
func (w *Writer) Blank() bool { return len(bytes.TrimSpace(w.line[w.fixed:])) == 0 }

// End ends the current line, if it has text. A heading or an item without text is dropped.
func (w *Writer) End() {
	if !w.Blank() {
		w.line = bytes.TrimRight(w.line, " \t")
		w.put()
		return
	}
	w.line, w.prefix, w.fixed = w.line[:0], "", 0
}

// Gap is [Writer.End], and leaves an empty line before the next line.
func (w *Writer) Gap() {
	w.End()
	w.gap = true
}

// add adds text without line ends to the current line. What exceeds the length of a line goes to
// the next.
func (w *Writer) add(b []byte) {
	if w.err != nil || len(b) == 0 {
		return
	}
	if len(w.line) == 0 && w.prefix != "" {
		w.line = append(w.line, w.prefix...)
		w.fixed, w.prefix = len(w.line), ""
	}
	if !isClean(b) {
		b = bytes.Map(cleaned, b)
	}
	for len(w.line)+len(b) > MaxLine {
		n := len(text.Cut(b, MaxLine-len(w.line)))
		w.line = append(w.line, b[:n]...)
		w.put()
		b = b[n:]
	}
	w.line = append(w.line, b...)
}

// put writes the current line.
func (w *Writer) put() {
	if w.gap && w.started {
		w.write(Line{})
	}
	w.write(Line{w.line, w.mark})
	w.line, w.prefix, w.fixed = w.line[:0], "", 0
	w.gap, w.started = false, true
	w.last, w.mark = w.mark, Mark{}
}

func (w *Writer) write(line Line) {
	if w.err != nil {
		return
	}
	if line.Mark.counted() {
		w.ahead--
	}
	w.text.used += int64(len(line.Text)) + 1
	w.err = w.ctx.Err()
	switch {
	case w.err != nil:
	case w.text.left() < 0:
		w.err = TooLargef("more than %d MiB of text", w.text.limit>>20)
	case w.ahead > 0:
	case !w.yield(line):
		w.err = errStopped
	}
}
