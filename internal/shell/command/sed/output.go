package sed

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"gander/internal/files/workspace"
	"gander/internal/shell/command"
)

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
