package awk

import (
	"errors"
	"io"
	"strconv"

	"gander/internal/files/workspace"
	"gander/internal/shell/command"
)

// A source is what records are read from: the files of the operands as one sequence, or one file.
type source struct {
	in      *command.Input
	lines   command.Lines
	last    int // the operand that was opened
	hadFile bool
	ended   bool
}

func (s *source) close() {
	if s.in != nil {
		s.in.Close()
	}
	s.in = nil
}

// nextRecord reads the next record of the operands, and counts it. It reports whether there is one.
func (m *machine) nextRecord() (text string, ok bool) {
	for !m.source.ended {
		if m.source.in == nil && !m.openNext() {
			m.source.ended = true
			break
		}
		if text, ok := m.read(&m.source); ok {
			m.count(nr)
			m.count(fnr)
			return text, true
		}
		m.source.close()
	}
	return "", false
}

func (m *machine) count(special int) {
	c := &m.globals[special]
	c.value = numeric(c.number() + 1)
}

// openNext opens the next operand, or standard input if there is none.
func (m *machine) openNext() bool {
	s := &m.source
	arguments := m.arrayOf(&m.globals[argv])
	for float64(s.last+1) < m.globals[argc].number() {
		m.account.Tick()
		s.last++
		name := ""
		if c := arguments.elements[strconv.Itoa(s.last)]; c != nil {
			name = m.text(c.value)
		}
		if name == "" || m.assignOperand(name) {
			continue
		}
		s.hadFile = true
		m.globals[fnr].value = numeric(0)
		if m.openFile(name) {
			return true
		}
	}
	if s.hadFile {
		return false
	}
	s.hadFile = true
	return m.openFile("-")
}

func (m *machine) openFile(name string) bool {
	m.globals[filename].value = textual(name)
	if name == "-" {
		m.source.in = m.standardInput(&m.source)
		return true
	}
	in, err := m.call.Files.Open(m.ctx, name)
	if err != nil {
		if errors.Is(err, workspace.ErrIsDirectory) {
			m.call.Errorf("warning: command line argument `%s' is a directory: skipped", name)
			return false
		}
		m.fatalf("cannot open file `%s' for reading: %s", name, command.Message(err))
	}
	m.source.in = in
	return true
}

// read reads a record.
func (m *machine) read(s *source) (string, bool) {
	separator := m.globals[rs].s
	if separator == "" {
		return m.readParagraph(s)
	}
	s.lines.End = separator[0]
	text, _, err := s.lines.Next(s.in)
	if err != nil {
		m.checkEnd(err)
		return "", false
	}
	m.checkSize(len(text))
	return string(text), true
}

// checkEnd ends the command for any error but the end of the input.
func (m *machine) checkEnd(err error) {
	if !errors.Is(err, io.EOF) {
		m.fatalf("error reading input file: %s", command.Message(err))
	}
}

// readParagraph reads lines up to an empty one.
func (m *machine) readParagraph(s *source) (string, bool) {
	s.lines.End = '\n'
	var record []byte
	isFirst := true
	for {
		text, _, err := s.lines.Next(s.in)
		if err != nil {
			m.checkEnd(err)
			return string(record), !isFirst
		}
		if len(text) == 0 {
			if isFirst {
				continue
			}
			return string(record), true
		}
		if !isFirst {
			record = append(record, '\n')
		}
		isFirst = false
		m.checkSize(len(record) + len(text))
		record = append(record, text...)
	}
}

// getline parses what follows getline: where the record goes, and the file that it comes from.
func (p *parser) getline() expression {
	var to func(m *machine) place
	if p.token.kind == name || p.at("$") {
		to = p.primary().place
	}
	if p.accept("<") {
		file := p.sum().eval
		return evalOnly(func(m *machine) value {
			s := m.reader(m.text(file(m)))
			if s == nil {
				return numeric(-1)
			}
			text, ok := m.read(s)
			return m.received(text, ok, to)
		})
	}
	return evalOnly(func(m *machine) value {
		text, ok := m.nextRecord()
		return m.received(text, ok, to)
	})
}

// received assigns a record that getline has read, to $0 if there is no place for it.
func (m *machine) received(text string, ok bool, to func(m *machine) place) value {
	m.account.Check()
	switch {
	case !ok:
		return numeric(0)
	case to == nil:
		m.setRecord(text)
	default:
		m.assign(to(m), value{kind: input, s: text})
	}
	return numeric(1)
}

// readerSize is the memory of a file that getline reads, in bytes.
const readerSize = 64 << 10

// reader returns the source of a file for getline, or nil if it cannot be opened.
func (m *machine) reader(name string) *source {
	if s := m.readers[name]; s != nil {
		return s
	}
	if name == "" {
		m.fatalf("expression for `<' redirection has null string value")
	}
	m.account.Grab(readerSize)
	s := &source{lines: command.Lines{Account: m.account}}
	if name == "-" || name == "/dev/stdin" {
		s.in = m.standardInput(s)
	} else if in, err := m.call.Files.Open(m.ctx, name); err == nil {
		s.in = in
	}
	if s.in == nil {
		m.account.Drop(readerSize)
		return nil
	}
	m.readers[name] = s
	return s
}

// closeReader is close.
func (m *machine) closeReader(a []value) value {
	name := m.text(a[0])
	s := m.readers[name]
	if s == nil {
		return numeric(-1)
	}
	s.close()
	delete(m.readers, name)
	m.account.Drop(readerSize)
	return numeric(0)
}

// readBlock is the size of the blocks in which gawk reads.
const readBlock = 4 << 10

// standardInput returns the standard input for one source.
func (m *machine) standardInput(s *source) *command.Input {
	if m.stdin != nil && m.stdin != s {
		m.refuse("both getline and the records would read the standard input; name a file")
	}
	m.stdin = s
	in := m.call.In.Share()
	in.Block = readBlock
	return in
}
