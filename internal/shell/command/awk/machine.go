package awk

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gander/internal/shell/command"
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
}

// The variables with a meaning, in the order of specials.
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
	countSpecials
)

func specials() []string {
	return []string{
		"NR", "NF", "FNR", "FS", "OFS", "ORS", "RS", "FILENAME", "SUBSEP", "RSTART", "RLENGTH",
		"ENVIRON",
	}
}

// A machine runs a program.
type machine struct {
	ctx     context.Context // of the command
	call    *command.Call
	account *command.Account
	program *program
	globals []cell
	status  int

	record  string
	fields  []string
	isSplit bool // fields are those of the record
	isStale bool // the record must be joined from the fields

	source   source
	patterns map[string]*regex.Searcher
	compiled *command.Account // of patterns
	scratch  []byte           // a text that is searched
}

func (m *machine) fatalf(format string, a ...any) {
	m.call.Fatalf(2, "fatal: "+format, a...)
}

// refuse ends the script.
func (m *machine) refuse(format string, a ...any) {
	panic(command.Abort{Err: command.Refuse("awk: "+format, a...)})
}

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

func (m *machine) text(v value) string { return v.inText() }

// keep stores a value in a variable or an element.
func (m *machine) keep(c *cell, v value) {
	if c.array != nil {
		m.fatalf("attempt to use an array in a scalar context")
	}
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
	if c.array != nil {
		return c.array
	}
	if c.kind != unset {
		m.fatalf("attempt to use a scalar value as array")
	}
	c.array = &array{elements: make(map[string]*cell)}
	return c.array
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
	return p.cell.value
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
	case nf:
		m.split()
		m.setCount(int(v.number()))
		return
	case fs:
		m.split() // the record that is there is split by the old one
		v = textual(m.text(v))
	case rs:
		v = textual(m.text(v))
		if len(v.s) > 1 {
			m.refuse("RS = %q: only one character or an empty text is available here", v.s)
		}
	case ofs, ors, subsep:
		v = textual(m.text(v))
	}
	m.keep(&m.globals[special], v)
}

// run runs the rules. It returns the exit status.
func (m *machine) run() int {
	defer m.close()
	state := proceed
	for _, action := range m.program.begin {
		if state = action(m); state == leave {
			break
		}
	}
	readsInput := len(m.program.rules)+len(m.program.end) > 0
	if state != leave && readsInput {
		m.records()
	}
	// exit elsewhere does not skip the rules END.
	for _, action := range m.program.end {
		if action(m) == leave {
			break
		}
	}
	return m.status
}

// close closes the files that are open.
func (m *machine) close() {
	m.source.close()
	m.compiled.Release()
}

// records runs the rules for each record.
func (m *machine) records() {
	for m.nextRecord() {
		for i := range m.program.rules {
			r := &m.program.rules[i]
			if !r.selects(m) {
				continue
			}
			state := r.action(m)
			if state == leave {
				return
			}
			if state == skipFile {
				m.source.close()
			}
			if state != proceed {
				break
			}
		}
	}
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
func (m *machine) initialize() {
	for special, s := range map[int]string{
		fs: " ", ofs: " ", ors: "\n", rs: "\n", subsep: "\x1c", filename: "",
	} {
		m.globals[special].value = textual(s)
	}
	for special, n := range map[int]float64{nr: 0, nf: 0, fnr: 0, rstart: 0, rlength: -1} {
		m.globals[special].value = numeric(n)
	}
	m.arrayOf(&m.globals[environ])
	for _, variable := range m.call.Exported() {
		name, v, _ := strings.Cut(variable, "=")
		m.put(m.globals[environ].array, name, value{kind: input, s: v})
	}
}
