package awk

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"gander/internal/shell/command/format"
)

// A builtinFunction is a function of the language.
type builtinFunction struct {
	min, max int // numbers of arguments
	call     func(m *machine, a []value) value
	// make is instead of call where the arguments are more than values.
	make func(p *parser, arguments []expression) func(m *machine) value
}

var builtins = map[string]builtinFunction{
	"length": {min: 0, max: 1, make: length},
	"split":  {min: 2, max: 3, make: splitText},
	"sub":    {min: 2, max: 3, make: substitute(false)},
	"gsub":   {min: 2, max: 3, make: substitute(true)},
	"match":  {min: 2, max: 2, make: matchText},
	"substr": {min: 2, max: 3, call: substring},
	"index":  {min: 2, max: 2, make: indexOf},
	"sprintf": {min: 1, max: math.MaxInt, call: func(m *machine, a []value) value {
		return textual(m.formatted(a))
	}},
	"close": {min: 1, max: 1, call: (*machine).closeReader},
	"fflush": {call: func(m *machine, _ []value) value {
		m.call.Out.Flush()
		return numeric(0)
	}},
	"tolower": {min: 1, max: 1, call: func(m *machine, a []value) value {
		return textual(strings.ToLower(m.wide(m.text(a[0]))))
	}},
	"toupper": {min: 1, max: 1, call: func(m *machine, a []value) value {
		return textual(strings.ToUpper(m.wide(m.text(a[0]))))
	}},
	"atan2": {min: 2, max: 2, call: func(_ *machine, a []value) value {
		y, x := a[0].number(), a[1].number()
		return numeric(orUndefined(math.Atan2(y, x), y, x))
	}},
	"int": calculated(math.Trunc), "sin": calculated(math.Sin), "cos": calculated(math.Cos),
	"exp": warning("exp", math.Exp), "log": warning("log", math.Log),
	"sqrt": warning("sqrt", math.Sqrt),
}

func calculated(f func(x float64) float64) builtinFunction {
	return builtinFunction{min: 1, max: 1, call: func(_ *machine, a []value) value {
		x := a[0].number()
		return numeric(orUndefined(f(x), x, x))
	}}
}

// warning is calculated for a function that warns of arguments out of its range.
func warning(name string, f func(x float64) float64) builtinFunction {
	return builtinFunction{min: 1, max: 1, call: func(m *machine, a []value) value {
		x := a[0].number()
		result := f(x)
		shown := format.Verb{Letter: 'g', Precision: 6}.Float(x)
		switch {
		case name != "exp" && x < 0:
			m.warn("%s: received negative argument %s", name, shown)
		case name == "exp" && !math.IsInf(x, 0) && (result == 0 || math.IsInf(result, 0)):
			m.warn("exp: argument %s is out of range", shown)
		}
		return numeric(orUndefined(result, x, x))
	}}
}

// orUndefined returns the result of a calculation with x and y. If it is undefined, it has the sign
// that C gives it.
func orUndefined(result, x, y float64) float64 {
	switch {
	case !math.IsNaN(result):
		return result
	case math.IsNaN(x):
		return x
	case math.IsNaN(y):
		return y
	}
	return math.Copysign(math.NaN(), -1)
}

// builtinCall parses the call of a function of the language.
func (p *parser) builtinCall(name string) expression {
	f := builtins[name]
	line := p.token.line
	var arguments []expression
	hasParentheses := p.accept("(")
	if hasParentheses && !p.accept(")") {
		arguments = p.inside(")")
	}
	if !hasParentheses && name != "length" {
		p.fail("%s needs parentheses", name)
	}
	if len(arguments) < f.min || len(arguments) > f.max {
		p.fail("%s has a wrong number of arguments", name)
	}
	eval := func(m *machine) value {
		a := m.push(arguments)
		defer m.pop(a)
		return f.call(m, a)
	}
	if f.make != nil {
		eval = f.make(p, arguments)
	}
	return evalOnly(func(m *machine) value {
		m.account.Check()
		m.line = line
		return eval(m)
	})
}

// push evaluates arguments onto the stack of values.
func (m *machine) push(list []expression) []value {
	base := len(m.stack)
	for _, e := range list {
		v := e.eval(m)
		m.stack = append(m.stack, v)
	}
	return m.stack[base:]
}

// pop removes what push has returned.
func (m *machine) pop(values []value) {
	clear(values)
	m.stack = m.stack[:len(m.stack)-len(values)]
}

// indexOf is index.
func indexOf(p *parser, arguments []expression) func(m *machine) value {
	if arguments[1].isEre {
		p.fail("argument 2 of index must be a string")
	}
	return func(m *machine) value {
		s, part := m.text(arguments[0].eval(m)), m.text(arguments[1].eval(m))
		if part != "" {
			m.wide(s)
			m.wide(part)
		}
		return numeric(position(s, strings.Index(s, part)))
	}
}

func length(_ *parser, arguments []expression) func(m *machine) value {
	if len(arguments) == 0 {
		return func(m *machine) value { return countCharacters(m.wide(m.whole())) }
	}
	a := arguments[0]
	return func(m *machine) value {
		if a.variable != nil {
			if array := a.variable(m).asArray(); array != nil {
				return numeric(float64(len(array.elements)))
			}
		}
		return countCharacters(m.wide(m.text(a.eval(m))))
	}
}

func countCharacters(s string) value { return numeric(float64(utf8.RuneCountInString(s))) }

// position returns the place of the character at an offset, counting from 1, or 0 if it is
// negative.
func position(s string, offset int) float64 {
	if offset < 0 {
		return 0
	}
	return float64(utf8.RuneCountInString(s[:offset]) + 1)
}

func substring(m *machine, a []value) value {
	count := math.Inf(1)
	if len(a) == 3 {
		count = math.Trunc(a[2].number())
	}
	s := m.text(a[0])
	if count > 0 {
		m.wide(s)
	}
	return textual(strings.Clone(slice(s, math.Trunc(a[1].number()), count)))
}

// matchText is match.
func matchText(p *parser, arguments []expression) func(m *machine) value {
	pattern := p.patternOf(arguments[1])
	return func(m *machine) value {
		s := m.text(arguments[0].eval(m))
		start, size := 0.0, -1.0
		if groups := pattern(m).Find(m.bytes(s), 0); groups != nil {
			if groups[1] > groups[0] {
				m.wide(s)
			}
			start = position(s, groups[0])
			size = float64(utf8.RuneCountInString(s[groups[0]:groups[1]]))
		}
		m.globals[rstart].value, m.globals[rlength].value = numeric(start), numeric(size)
		return numeric(start)
	}
}

// splitText is split.
func splitText(p *parser, arguments []expression) func(m *machine) value {
	separator := func(m *machine) string { return m.globals[fs].s }
	if len(arguments) > 2 {
		separator = p.separator(arguments[2])
	}
	if arguments[1].variable == nil {
		p.fail("argument 2 of split must be an array")
	}
	return func(m *machine) value {
		text := m.text(arguments[0].eval(m))
		fields := m.fieldsOf(nil, text, separator(m), false)
		defer func() { m.account.Drop(16 * cap(fields)) }()
		a := m.arrayOf(arguments[1].variable(m))
		m.clear(a)
		for i, text := range fields {
			m.account.Tick()
			m.put(a, strconv.Itoa(i+1), value{kind: input, s: text})
		}
		return numeric(float64(len(fields)))
	}
}

// separator returns the separator that an argument of split means.
func (p *parser) separator(e expression) func(m *machine) string {
	if !e.isEre {
		return func(m *machine) string { return m.text(e.eval(m)) }
	}
	source := e.ere
	if len(source) == 1 {
		source = "(" + source + ")" // a space is a space, and a dot any character
	}
	return func(*machine) string { return source }
}

// substitute is sub, and gsub if all matches are replaced.
func substitute(all bool) func(*parser, []expression) func(*machine) value {
	return func(p *parser, arguments []expression) func(m *machine) value {
		pattern := p.patternOf(arguments[0])
		target := fieldOf(constantOf(numeric(0)))
		if len(arguments) == 3 {
			target = arguments[2]
		}
		if target.place == nil && target.constant == nil {
			p.fail("argument 3 of sub and gsub must be something that can be changed")
		}
		return func(m *machine) value {
			re := pattern(m)
			with := m.text(arguments[1].eval(m))
			s := replacement{m: m, with: with, all: all}
			if target.place == nil {
				s.text = m.text(target.eval(m))
				re.All([]byte(s.text), s.replace)
				return numeric(float64(s.count))
			}
			at := target.place(m)
			s.text = m.text(m.load(at))
			if !re.Match(m.bytes(s.text)) {
				m.reach(at.field)
				return numeric(0)
			}
			re.All([]byte(s.text), s.replace)
			s.add(s.text[s.done:])
			m.assign(at, textual(string(s.out)))
			return numeric(float64(s.count))
		}
	}
}

// A replacement replaces matches in a text.
type replacement struct {
	m     *machine
	text  string
	with  string
	all   bool
	out   []byte
	done  int // the size of the text that is in out
	count int
}

// replace is called for each match. In what replaces it, "&" is the match, which a backslash
// quotes. Backslashes quote each other only in fours, or before "&".
func (r *replacement) replace(groups []int) bool {
	r.count++
	r.add(r.text[r.done:groups[0]])
	r.done = groups[1]
	for at := 0; at < len(r.with); at++ {
		rest := r.with[at:]
		switch {
		case rest[0] == '&':
			r.add(r.text[groups[0]:groups[1]])
			continue
		case strings.HasPrefix(rest, `\\\&`), strings.HasPrefix(rest, `\\\\`):
			r.add(`\`)
			at += 3
		case strings.HasPrefix(rest, `\\&`), strings.HasPrefix(rest, `\&`):
			at++
		}
		r.add(r.with[at : at+1])
	}
	return r.all
}

func (r *replacement) add(s string) {
	r.m.checkSize(len(r.out) + len(s))
	r.out = append(r.out, s...)
}
