package awk

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

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

// assignOperand assigns a variable if an operand has the form NAME=VALUE.
func (m *machine) assignOperand(operand string) bool {
	name, v, found := strings.Cut(operand, "=")
	if !found || !isName(name) {
		return false
	}
	if err := m.program.checkAssigned(name); err != nil {
		panic(command.Abort{Err: err})
	}
	if i, used := m.program.variables[name]; used {
		special := i
		if i >= countSpecials {
			special = -1
		}
		m.assign(place{cell: &m.globals[i], special: special}, value{kind: input, s: unescape(v)})
	}
	return true
}

// checkAssigned refuses to assign a name that is no variable, or one that has another meaning in
// gawk.
func (p *program) checkAssigned(name string) error {
	if p.functions[name] == nil && !isAbsent(name) && !isKeyword(name) && !isBuiltin(name) {
		return nil
	}
	return command.Refuse("awk: %s=: %s cannot be assigned here; leave it out", name, name)
}

func isName(s string) bool {
	for i, c := range []byte(s) {
		if !isLetter(c) && (i == 0 || !isDigit(c)) {
			return false
		}
	}
	return s != ""
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
	s := splitter{
		m: m, fields: m.fields[:0], text: m.record, separator: m.globals[fs].s,
		byLines: m.globals[rs].s == "",
	}
	s.split()
	m.fields = s.fields
	m.globals[nf].value = numeric(float64(len(m.fields)))
}

// A splitter splits a text into fields.
type splitter struct {
	m         *machine
	fields    []string
	text      string
	separator string
	byLines   bool // a line feed separates fields in any case
}

func (s *splitter) split() {
	switch {
	case s.text == "":
	case s.separator == " ":
		s.byBlanks()
	case s.separator == "":
		s.byCharacters()
	case len(s.separator) == 1 && !s.byLines:
		s.byByte(s.separator[0])
	default:
		s.bySeparator()
	}
}

// quoteByte returns a regular expression for a text of one character.
func quoteByte(s string) string {
	if isLetter(s[0]) || s[0] >= utf8.RuneSelf {
		return s
	}
	return `\` + s
}

// add adds a field.
func (s *splitter) add(field string) {
	s.fields = command.Append(s.m.account, s.fields, field)
}

func (s *splitter) byByte(separator byte) {
	text := s.text
	for {
		at := strings.IndexByte(text, separator)
		if at < 0 {
			s.add(text)
			return
		}
		s.add(text[:at])
		text = text[at+1:]
	}
}

func isBlank(c rune) bool { return c == ' ' || c == '\t' || c == '\n' }

func (s *splitter) byBlanks() {
	for field := range strings.FieldsFuncSeq(s.text, isBlank) {
		s.add(field)
	}
}

func (s *splitter) byCharacters() {
	for text := s.text; text != ""; {
		_, size := utf8.DecodeRuneInString(text)
		s.add(text[:size])
		text = text[size:]
	}
}

func (s *splitter) bySeparator() {
	separator := s.separator
	if separator == "^" {
		s.m.refuse(`FS = "^" together with RS = "" is not available here; replace the ^ first`)
	}
	if len(separator) == 1 {
		separator = quoteByte(separator)
	}
	if s.byLines {
		separator = "(" + separator + ")|\n"
	}
	from := 0
	s.m.pattern(separator).All(s.m.bytes(s.text), func(groups []int) bool {
		if groups[1] > groups[0] {
			s.add(s.text[from:groups[0]])
			from = groups[1]
		}
		return true
	})
	s.add(s.text[from:])
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
	m.split()
	if n < 0 {
		m.fatalf("attempt to access field %d", n)
	}
	if n > len(m.fields) {
		m.setCount(n)
	}
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
