package awk

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gander/internal/shell/command"
	"gander/internal/shell/command/format"
	"gander/internal/shell/regex"
)

const (
	maxText  = 4 << 20 // bytes of a value
	longText = 4 << 10 // bytes from which on the time of what is done with a text matters
)

// A cell is a variable or an element.
type cell struct {
	value
	array *array
	// isScalar says that it has been used as a scalar, even without a value.
	isScalar bool
	// origin is the variable that was passed as this parameter, if it was an array or had no value.
	origin *cell
}

// asArray returns the array that c is, or nil.
func (c *cell) asArray() *array {
	if c.array == nil && c.kind == unset && c.origin != nil {
		c.array = c.origin.array
	}
	return c.array
}

// The variables with a meaning.
const (
	nr = iota
	nf
	fnr
	fs
	ofs
	ors
	rs
	filename
	subsep
	rstart
	rlength
	environ
	argc
	argv
	convfmt
	ofmt
	countSpecials
)

// specials are the names of the variables with a meaning, and their first values.
var specials = [countSpecials]struct {
	name  string
	first value
}{
	nr: {"NR", numeric(0)}, nf: {"NF", numeric(0)}, fnr: {"FNR", numeric(0)}, fs: {"FS", textual(" ")},
	ofs: {"OFS", textual(" ")}, ors: {"ORS", textual("\n")}, rs: {"RS", textual("\n")},
	filename: {"FILENAME", textual("")}, subsep: {"SUBSEP", textual("\x1c")},
	rstart: {"RSTART", numeric(0)}, rlength: {"RLENGTH", numeric(0)}, environ: {name: "ENVIRON"},
	argc: {name: "ARGC"}, argv: {name: "ARGV"}, convfmt: {"CONVFMT", textual("%.6g")},
	ofmt: {"OFMT", textual("%.6g")},
}

// specialAt returns the index of a variable if it has a meaning, or -1.
func specialAt(index int) int {
	if index < countSpecials {
		return index
	}
	return -1
}

// A machine runs a program.
type machine struct {
	ctx      context.Context // of the command
	call     *command.Call
	account  *command.Account
	program  *program
	globals  []cell
	locals   []cell  // of the function that runs
	stack    []value // arguments of the builtin functions that run
	result   value   // of the function that has just ended
	nameless cell    // the origin of what was passed without a value and is no variable
	status   int
	line     int // of the program, where it runs

	conversion, printing format.Verb // CONVFMT and OFMT

	record  string
	fields  []string
	isSplit bool // fields are those of the record
	isStale bool // the record must be joined from the fields
	// assigned are the values that the record and the fields after it were given, at their numbers;
	// those that come from input have only their text.
	assigned []value

	source   source
	readers  map[string]*source // of getline
	stdin    *source            // which of them reads the standard input
	patterns map[string]*regex.Searcher
	compiled *command.Account // of patterns
	scratch  []byte           // a text that is searched
	warned   map[string]bool  // the warnings that are not repeated
}

func (m *machine) fatalf(format string, a ...any) {
	m.call.Fatalf(2, "%sfatal: %s", m.place(), fmt.Sprintf(format, a...))
}

// place returns where the program is, as errors begin.
func (m *machine) place() string {
	place := ""
	if m.line > 0 {
		place = fmt.Sprintf("cmd. line:%d: ", m.line)
	}
	if n := m.globals[fnr].number(); n > 0 {
		place += fmt.Sprintf("(FILENAME=%s FNR=%.0f) ", m.globals[filename].s, n)
	}
	return place
}

// refuse ends the script.
func (m *machine) refuse(format string, a ...any) { command.Stop("awk: "+format, a...) }

// checkSize ends the script if a text of n bytes does not fit.
func (m *machine) checkSize(n int) {
	if n > maxText {
		panic(command.Abort{Err: fmt.Errorf(
			"awk: a text has more than %d MiB; build smaller ones", maxText>>20)})
	}
	if n > longText {
		m.account.Check()
		m.account.Grab(n)
		m.account.Drop(n)
	}
}

// checked returns the value of a variable or a field. It ends the program in time if what is done
// with the value can take long.
func (m *machine) checked(v value) value {
	if len(v.s) > longText {
		m.account.Check()
	}
	return v
}

func (m *machine) text(v value) string { return v.inText(m.conversion) }

// printed returns a value as print prints it.
func (m *machine) printed(v value) string { return v.inText(m.printing) }

// keep stores a value in a variable or an element.
func (m *machine) keep(c *cell, v value) {
	if c.asArray() != nil {
		m.fatalf("attempt to use an array in a scalar context")
	}
	c.markScalar()
	if len(v.s)+len(c.s) > 0 {
		m.account.Grab(len(v.s))
		m.account.Drop(len(c.s))
		if v.kind == input {
			v.s = strings.Clone(v.s) // it would keep its whole record
		}
	}
	c.value = v
}

// arrayOf returns the array of a variable, which becomes one if it has no value.
func (m *machine) arrayOf(c *cell) *array {
	switch {
	case c.asArray() != nil:
		return c.array
	case c.kind != unset, c.isScalar:
		m.fatalf("attempt to use a scalar value as array")
	case c.origin == &m.nameless:
		m.refuse("an element that becomes an array is not available here; use a[x, y]")
	case c.origin != nil:
		c.array = m.arrayOf(c.origin)
		return c.array
	}
	c.array = &array{elements: make(map[string]*cell)}
	return c.array
}

// markScalar notes that a variable is used as a scalar, and with it what it was passed from.
func (c *cell) markScalar() {
	for ; c != nil && !c.isScalar; c = c.origin {
		c.isScalar = true
	}
}

// A place is what can be assigned: a variable, an element or a field.
type place struct {
	cell    *cell
	special int // the variable with this index; -1 for others
	field   int // if cell is nil
}

func (m *machine) load(p place) value {
	switch {
	case p.cell == nil:
		return m.field(p.field)
	case p.special == nf:
		m.split()
	}
	return m.scalar(p.cell)
}

func (m *machine) assign(p place, v value) {
	switch {
	case p.cell == nil:
		m.setField(p.field, v)
	case p.special < 0:
		m.keep(p.cell, v)
	default:
		m.assignSpecial(p.special, v)
	}
}

func (m *machine) assignSpecial(special int, v value) {
	switch special {
	case fs, rs, convfmt, ofmt, ofs, ors, subsep:
		v = textual(m.text(v))
	case nr, fnr:
		if m.text(v) != integerText(math.Trunc(v.number())) {
			m.refuse("NR and FNR are only available as whole numbers; use another variable")
		}
	}
	switch special {
	case nf:
		m.split()
		m.setCount(int(v.number()))
	case fs:
		m.split() // the record that is there is split by the old one
		if len(v.s) > 1 {
			m.checkQuoted(v.s)
			checkEscapes(v.s, m.warnOnce)
		}
	case rs:
		if err := checkSeparator(v.s); err != nil {
			panic(command.Abort{Err: err})
		}
	case convfmt:
		m.conversion = m.verb(v.s)
	case ofmt:
		m.printing = m.verb(v.s)
	}
	m.keep(&m.globals[special], v)
}

// verb returns what a format of CONVFMT or OFMT means.
func (m *machine) verb(text string) format.Verb {
	after, ok := strings.CutPrefix(text, "%")
	v, rest := format.Parse(after, func() int { return 0 })
	isFloat := v.Letter != 0 && strings.IndexByte("eEfFgG", v.Letter) >= 0
	if !ok || !isFloat || rest != "" || v.Size() > 100 || strings.Contains(text, "*") {
		m.refuse("the format %q of numbers is not available here; use one like %%.6g", text)
	}
	return v
}

// pattern compiles a regular expression that is known when the program runs.
func (m *machine) pattern(source string) *regex.Searcher {
	if s := m.patterns[source]; s != nil {
		return s
	}
	if len(m.patterns) >= 20 {
		clear(m.patterns)
		m.compiled.Release()
	}
	m.checkQuoted(source)
	checkEscapes(source, m.warnOnce)
	re, err := compile(source)
	if err != nil {
		panic(command.Abort{Err: err})
	}
	s := re.NewSearcher(m.ctx, m.compiled)
	m.patterns[source] = s
	return s
}

func compile(source string) (*regex.Regexp, error) {
	re, err := regex.Compile(regex.Options{Syntax: regex.Awk}, source)
	var refusal command.Refusal
	if err != nil && !errors.As(err, &refusal) {
		err = command.Refuse("awk: the regular expression /%.100s/: %v; correct it", source, err)
	}
	return re, err
}

// bytes returns the bytes of a text, until the next call.
func (m *machine) bytes(s string) []byte {
	m.scratch = append(m.scratch[:0], s...)
	return m.scratch
}

// initialize gives the variables with a meaning their first values.
func (m *machine) initialize(operands []string) {
	for i, special := range specials {
		m.globals[i].value = special.first
	}
	m.conversion = format.Verb{Letter: 'g', Precision: 6}
	m.printing = m.conversion
	m.globals[argc].value = numeric(float64(1 + len(operands)))
	arguments := m.arrayOf(&m.globals[argv])
	m.put(arguments, "0", textual(m.call.Name))
	for i, operand := range operands {
		m.put(arguments, strconv.Itoa(i+1), value{kind: input, s: operand})
	}
	m.arrayOf(&m.globals[environ])
	for _, variable := range m.call.Exported() {
		name, v, _ := strings.Cut(variable, "=")
		m.put(m.globals[environ].array, name, value{kind: input, s: v})
	}
}
