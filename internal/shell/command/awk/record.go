package awk

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"gander/internal/files/workspace"
	"gander/internal/shell/command"
	"gander/internal/shell/regex"
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
	m.globals[fnr].value = numeric(0)
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
		return "", m.readError(err)
	}
	m.checkSize(len(text))
	return string(text), true
}

// readError ends the script for any error but the end of the input. It returns false.
func (m *machine) readError(err error) bool {
	if !errors.Is(err, io.EOF) {
		m.account.Check()
		m.fatalf("error reading input file: %s", command.Message(err))
	}
	return false
}

// readParagraph reads lines up to an empty one.
func (m *machine) readParagraph(s *source) (string, bool) {
	s.lines.End = '\n'
	var record []byte
	isFirst := true
	for {
		text, _, err := s.lines.Next(s.in)
		if err != nil {
			m.readError(err)
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

func (m *machine) setRecord(s string) {
	m.record, m.isSplit, m.isStale = s, false, false
}

// whole returns $0.
func (m *machine) whole() string {
	if m.isStale {
		separator := m.globals[ofs].s
		size := 0
		for _, field := range m.fields {
			size += len(field) + len(separator)
		}
		m.checkSize(size)
		m.record, m.isStale = strings.Join(m.fields, separator), false
	}
	return m.record
}

// split splits the record into fields, once.
func (m *machine) split() {
	if m.isSplit {
		return
	}
	m.isSplit = true
	separator := m.globals[fs].s
	byLines := m.globals[rs].s == "" && len(separator) == 1 // not with a regular expression
	m.fields = m.fieldsOf(m.fields[:0], m.record, separator, byLines)
	m.globals[nf].value = numeric(float64(len(m.fields)))
}

// fieldsOf appends the fields of a text to a list. With byLines, a line feed separates them in any
// case.
func (m *machine) fieldsOf(list []string, text, separator string, byLines bool) []string {
	switch {
	case text == "":
	case separator == " ":
		for field := range strings.FieldsFuncSeq(text, isBlank) {
			list = command.Append(m.account, list, field)
		}
	case separator == "", len(separator) == 1 && !byLines:
		for field := range strings.SplitSeq(text, separator) { // characters if it is empty
			list = command.Append(m.account, list, field)
		}
	default:
		from := 0
		m.separators(separator, byLines).All(m.bytes(text), func(groups []int) bool {
			if groups[1] > groups[0] {
				list = command.Append(m.account, list, text[from:groups[0]])
				from = groups[1]
			}
			return true
		})
		list = command.Append(m.account, list, text[from:])
	}
	return list
}

func isBlank(c rune) bool { return c == ' ' || c == '\t' || c == '\n' }

// separators returns the regular expression of a separator, and of line feeds with byLines.
func (m *machine) separators(separator string, byLines bool) *regex.Searcher {
	switch {
	case separator == "^":
		m.refuse(`FS = "^" together with RS = "" is not available here; replace the ^ first`)
	case len(separator) == 1 && !isLetter(separator[0]) && separator[0] < utf8.RuneSelf:
		separator = `\` + separator
	}
	if byLines {
		separator = "(" + separator + ")|\n"
	}
	return m.pattern(separator)
}

func (m *machine) field(n int) value {
	if n == 0 {
		return m.checked(value{kind: input, s: m.whole()})
	}
	m.split()
	switch {
	case n < 0:
		m.fatalf("attempt to access field %d", n)
	case n > len(m.fields):
		return value{kind: input}
	}
	return m.checked(value{kind: input, s: m.fields[n-1]})
}

func (m *machine) setField(n int, v value) {
	s := m.text(v)
	if n == 0 {
		m.setRecord(s)
		return
	}
	if n < 0 {
		m.fatalf("attempt to access field %d", n)
	}
	m.reach(n)
	m.fields[n-1] = s
	m.isStale = true
}

// reach makes the fields up to n, without a change of the record.
func (m *machine) reach(n int) {
	isStale := m.isStale
	m.split()
	if n > len(m.fields) {
		m.setCount(n)
	}
	m.isStale = isStale
}

// setCount makes n fields, of which the new ones are empty.
func (m *machine) setCount(n int) {
	if n < 0 {
		m.fatalf("NF set to negative value")
	}
	for len(m.fields) < n {
		m.account.Tick()
		m.fields = command.Append(m.account, m.fields, "")
	}
	m.fields = m.fields[:n]
	m.globals[nf].value = numeric(float64(n))
	m.isStale = true
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
