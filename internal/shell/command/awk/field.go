package awk

import (
	"strings"
	"unicode/utf8"

	"gander/internal/shell/command"
	"gander/internal/shell/regex"
)

func (m *machine) setRecord(s string) {
	m.record, m.isSplit, m.isStale, m.assigned = s, false, false, m.assigned[:0]
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
		m.give(0, textual(m.record))
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
	v := value{kind: input}
	if n == 0 {
		v.s = m.whole()
	} else {
		m.split()
	}
	switch {
	case n < 0:
		m.fatalf("attempt to access field %d", n)
	case n < len(m.assigned) && m.assigned[n].kind != input:
		v = m.assigned[n]
	case n > 0 && n <= len(m.fields):
		v.s = m.fields[n-1]
	}
	return m.checked(v)
}

func (m *machine) setField(n int, v value) {
	s := m.text(v)
	if n == 0 {
		m.setRecord(s)
		m.give(0, value{kind: v.kind, n: v.n, s: s})
		return
	}
	if n < 0 {
		m.fatalf("attempt to access field %d", n)
	}
	m.reach(n)
	m.fields[n-1] = s
	m.isStale = true
	m.give(n, v)
}

// give notes the value that the record or a field was given: unlike input, a text that looks like a
// number stays a text.
func (m *machine) give(n int, v value) {
	for len(m.assigned) <= n {
		m.account.Tick()
		m.assigned = command.Append(m.account, m.assigned, value{kind: input})
	}
	m.assigned[n] = v
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
	m.assigned = m.assigned[:min(len(m.assigned), n+1)]
	m.globals[nf].value = numeric(float64(n))
	m.isStale = true
}
