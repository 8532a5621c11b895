package sed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"gander/internal/files/workspace"
	"gander/internal/shell/command"
)

// An input is the lines of all operands.
type input struct {
	ctx   context.Context // of the call
	c     *command.Call
	names []string // of the operands that are still to be read
	lines command.Lines
	block int64  // as in options
	reset func() // is called for each file if it has lines of its own, or is nil

	in     *command.Input // nil between operands
	name   string
	line   int
	failed bool
}

// open opens the next operand, and reports whether there is one.
func (f *input) open() bool {
	for f.in == nil && len(f.names) > 0 {
		name := f.names[0]
		f.names = f.names[1:]
		in, err := f.c.Open(f.ctx, name)
		if err != nil {
			f.c.EarlyErrorf("can't read %s: %s", name, command.Message(err))
			f.failed = true
			continue
		}
		if in.File == nil { // otherwise it seeks back
			in.Block = f.block
		}
		f.in, f.name = in, name
		if f.reset != nil {
			f.line = 0
			f.reset()
		}
	}
	return f.in != nil
}

// more reports whether there is another line, and opens operands until there is one. It passes what
// cannot be read, as sed does while it looks ahead.
func (f *input) more() bool {
	for f.open() {
		if _, err := f.in.Peek(1); err == nil {
			return true
		}
		f.close()
	}
	return false
}

// end closes an operand that is read to its end. Any other error ends the command.
func (f *input) end(err error) {
	if !errors.Is(err, io.EOF) {
		f.c.EarlyErrorf("read error on %s: %s", f.name, command.Message(err))
		f.c.Exit(4)
	}
	f.close()
}

func (f *input) close() {
	if f.in != nil {
		f.in.Close()
	}
	f.in = nil
}

// next returns the next line, which is valid until the next call of a method.
func (f *input) next() (text []byte, ended, ok bool) {
	for f.open() {
		text, ended, err := f.lines.Next(f.in)
		if err == nil {
			f.line++
			return text, ended, true
		}
		f.end(err)
	}
	return nil, false, false
}

// skip passes n lines. With all, it passes the rest, and reads it only on the standard input.
func (f *input) skip(n int) {
	for n == all && f.open() {
		_, err := f.in.Peek(1)
		if f.name == "-" {
			err = f.in.CopyLines(f.c.Account, io.Discard, math.MaxInt64, f.lines.End)
		}
		f.end(cmp.Or(err, io.EOF))
	}
	for n > 0 && f.open() {
		if _, _, err := f.lines.Next(f.in); err != nil {
			f.end(err)
			continue
		}
		f.line++
		n--
	}
}

// all is the number of all lines.
const all = math.MaxInt

// isLast reports whether the current line is the last one.
func (f *input) isLast() bool {
	if f.reset == nil || f.in == nil {
		return !f.more()
	}
	_, err := f.in.Peek(1)
	return err != nil
}

// An outlet is where lines are printed.
type outlet struct {
	to      io.Writer
	missing bool // the end of the last line
}

// print prints a line to standard output.
func (s *state) print(text []byte, ended bool) { s.writeLine(&s.out, text, ended) }

func (s *state) printSpace() { s.print(s.space.text, s.space.ended) }

func (s *state) writeLine(o *outlet, text []byte, ended bool) {
	s.endLine(o)
	o.to.Write(text)
	o.missing = true
	if ended {
		s.endLine(o)
	}
}

// endLine prints the end of a line that lacks it.
func (s *state) endLine(o *outlet) {
	if o.missing {
		o.to.Write(s.ending)
	}
	o.missing = false
}

// printLine prints the text of i and c, whose last line ends like the others.
func (s *state) printLine(text string) {
	if line, ok := strings.CutSuffix(text, "\n"); ok {
		s.print([]byte(line), true)
	}
}

// A due is what is printed after a line: a text, or a file.
type due struct {
	text, file string
	held       int // bytes of the text that are counted
}

func (s *state) addDue(d due) { s.due = command.Append(s.c.Account, s.due, d) }

// flushDue prints what comes after a line.
func (s *state) flushDue() {
	if len(s.due) > 0 {
		s.endLine(&s.out)
	}
	for _, d := range s.due {
		if d.file == "" {
			s.c.Out.WriteString(d.text)
		} else {
			s.copy(d.file)
		}
		s.c.Account.Drop(d.held)
	}
	s.due = s.due[:0]
}

// open opens a file of r or R, or returns nil if it does not exist.
func (s *state) open(name string) *command.Input {
	if name == "/dev/stdin" && s.input.name == "-" {
		command.Stop("sed: both r and the lines would read the standard input; name a file")
	}
	in, err := s.c.Files.Open(s.ctx, name)
	if errors.Is(err, workspace.ErrIsDirectory) {
		s.c.EarlyErrorf("read error on %s: Is a directory", name)
		s.c.Exit(4)
	}
	if err != nil {
		return nil
	}
	return in
}

// copy prints a file as it is.
func (s *state) copy(name string) {
	in := s.open(name)
	if in == nil {
		return
	}
	defer in.Close()
	for {
		s.c.Account.Check()
		text, err := in.Take()
		if err != nil {
			return
		}
		s.c.Out.Write(text)
	}
}

// readBuffer is the memory of a file of R, in bytes.
const readBuffer = 64 << 10

// queueLine reads the next line of a file, which is printed after the line.
func (s *state) queueLine(name string) {
	in, isOpen := s.reads[name]
	if !isOpen {
		s.c.Account.Grab(readBuffer)
		if in = s.open(name); in == nil {
			in = command.NoInput()
		}
		s.reads[name] = in
	}
	lines := command.Lines{Account: s.c.Account.Part(), End: s.end}
	defer lines.Account.Release()
	text, ended, err := lines.Next(in)
	if err != nil {
		return
	}
	whole := string(text)
	if ended {
		whole += string(s.ending)
	}
	s.c.Account.Grab(len(whole))
	s.addDue(due{text: whole, held: len(whole)})
}

// closeReads lets R begin again.
func (s *state) closeReads() {
	for name, in := range s.reads {
		in.Close()
		s.c.Account.Drop(readBuffer)
		delete(s.reads, name)
	}
}

// write prints a line to a stream, whose last line can lack its end like that of the output.
func (s *state) write(stream string, text []byte, ended bool) {
	o := &s.written
	o.to = s.c.Out
	if stream == standardError {
		o = &s.errors
		o.to = s.c.Err
		s.c.Out.FlushBlocks()
	}
	s.writeLine(o, text, ended)
}

// defaultWidth is the width of what l prints, where none is given.
const defaultWidth = 70

// list prints the pattern space so that all of it can be seen, in lines of a width.
func (s *state) list(width int) {
	s.endLine(&s.out)
	column := 0
	for _, c := range s.space.text {
		shown := visible(c)
		if width > 0 && column+len(shown) > width-1 {
			s.print([]byte(`\`), true)
			column = 0
		}
		s.c.Out.WriteString(shown)
		column += len(shown)
	}
	s.print([]byte("$"), true)
}

// visible returns how l prints a byte.
func visible(c byte) string {
	if i := strings.IndexByte("\\\a\b\f\n\r\t\v", c); i >= 0 {
		return `\` + `\abfnrtv`[i:i+1]
	}
	if c < ' ' || c > '~' {
		return fmt.Sprintf(`\%03o`, c)
	}
	return string(c)
}
