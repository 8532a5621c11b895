package awk

import "gander/internal/shell/command"

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
func (m *machine) closeReader(name string) value {
	s := m.readers[name]
	if s == nil {
		return numeric(-1)
	}
	s.close()
	delete(m.readers, name)
	m.account.Drop(readerSize)
	return numeric(0)
}

// standardInput returns the standard input for one source.
func (m *machine) standardInput(s *source) *command.Input {
	if m.stdin != nil && m.stdin != s {
		m.refuse("both getline and the records would read the standard input; name a file")
	}
	m.stdin = s
	return m.call.In.Share()
}
