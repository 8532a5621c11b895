package awk

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gander/internal/shell/command/format"
)

// A builtinFunction is a function of the language.
type builtinFunction struct {
	min, max int // numbers of arguments
	make     func(p *parser, arguments []expression) func(m *machine) value
}

// builtinNamed returns the function of the language with a name. Its make is nil if there is none.
func builtinNamed(name string) builtinFunction {
	switch name {
	case "length":
		return builtinFunction{0, 1, length}
	case "substr":
		return builtinFunction{2, 3, substring}
	case "index":
		return builtinFunction{2, 2, onTexts(func(m *machine, s []string) value {
			return numeric(position(s[0], strings.Index(s[0], s[1])))
		})}
	case "split":
		return builtinFunction{2, 4, splitText}
	case "sub":
		return builtinFunction{2, 3, substitute(1)}
	case "gsub":
		return builtinFunction{2, 3, substitute(0)}
	case "gensub":
		return builtinFunction{3, 4, generalSubstitute}
	case "match":
		return builtinFunction{2, 3, matchText}
	case "sprintf":
		return builtinFunction{1, math.MaxInt, func(_ *parser, list []expression) func(m *machine) value {
			return func(m *machine) value { return textual(m.formatted(list)) }
		}}
	case "tolower":
		return builtinFunction{1, 1, onTexts(func(m *machine, s []string) value {
			return textual(strings.ToLower(s[0]))
		})}
	case "toupper":
		return builtinFunction{1, 1, onTexts(func(m *machine, s []string) value {
			return textual(strings.ToUpper(s[0]))
		})}
	case "close":
		return builtinFunction{1, 2, onTexts(func(m *machine, s []string) value {
			return m.closeFile(s[0])
		})}
	case "fflush":
		return builtinFunction{0, 1, onTexts(func(m *machine, s []string) value { return numeric(0) })}
	case "system":
		return refused("it starts a program, and none is started here; pipe the output of awk")
	case "rand", "srand":
		return refused("random numbers are not available here; leave it out")
	case "mktime", "compl", "patsplit", "typeof", "isarray":
		return refused("it is not available here; leave it out")
	case "strtonum":
		return builtinFunction{1, 1, toNumberFunction}
	case "strftime":
		return builtinFunction{0, 3, formatTime}
	case "asort", "asorti":
		return builtinFunction{1, 2, sortArray(name == "asorti")}
	}
	return numericBuiltin(name)
}

// refused returns a function that a program cannot call.
func refused(why string) builtinFunction {
	return builtinFunction{0, math.MaxInt, func(p *parser, _ []expression) func(m *machine) value {
		p.fail("%s", why)
		return nil
	}}
}

func numericBuiltin(name string) builtinFunction {
	one := func(f func(x float64) float64) builtinFunction {
		return builtinFunction{1, 1, onNumbers(func(m *machine, n []float64) float64 { return f(n[0]) })}
	}
	integers := func(f func(x, y uint64) uint64) builtinFunction {
		return builtinFunction{2, math.MaxInt, onNumbers(func(m *machine, n []float64) float64 {
			result := m.integer(n[0])
			for _, x := range n[1:] {
				result = f(result, m.integer(x))
			}
			return float64(result)
		})}
	}
	switch name {
	case "int":
		return one(math.Trunc)
	case "sqrt":
		return one(math.Sqrt)
	case "exp":
		return one(math.Exp)
	case "log":
		return one(math.Log)
	case "sin":
		return one(math.Sin)
	case "cos":
		return one(math.Cos)
	case "atan2":
		return builtinFunction{2, 2, onNumbers(func(m *machine, n []float64) float64 {
			return math.Atan2(n[0], n[1])
		})}
	case "systime":
		return builtinFunction{0, 0, onNumbers(func(*machine, []float64) float64 {
			return float64(time.Now().Unix())
		})}
	case "and":
		return integers(func(x, y uint64) uint64 { return x & y })
	case "or":
		return integers(func(x, y uint64) uint64 { return x | y })
	case "xor":
		return integers(func(x, y uint64) uint64 { return x ^ y })
	case "lshift":
		return integers(func(x, y uint64) uint64 { return x << y })
	case "rshift":
		return integers(func(x, y uint64) uint64 { return x >> y })
	}
	return builtinFunction{}
}

// integer returns the integer of a function on bits.
func (m *machine) integer(n float64) uint64 {
	if n < 0 {
		m.fatalf("negative values are not allowed in functions on bits")
	}
	return uint64(n)
}

// builtinCall parses the call of a function of the language.
func (p *parser) builtinCall(name string) expression {
	f := builtinNamed(name)
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
	eval := f.make(p, arguments)
	return evalOnly(func(m *machine) value {
		m.account.Check()
		return eval(m)
	})
}

func onTexts(f func(m *machine, s []string) value) func(*parser, []expression) func(*machine) value {
	return func(_ *parser, arguments []expression) func(m *machine) value {
		return func(m *machine) value {
			texts := make([]string, len(arguments))
			for i, a := range arguments {
				texts[i] = m.text(a.eval(m))
			}
			return f(m, texts)
		}
	}
}

func onNumbers(
	f func(m *machine, n []float64) float64,
) func(*parser, []expression) func(*machine) value {
	return func(_ *parser, arguments []expression) func(m *machine) value {
		return func(m *machine) value {
			numbers := make([]float64, len(arguments))
			for i, a := range arguments {
				numbers[i] = a.eval(m).number()
			}
			return numeric(f(m, numbers))
		}
	}
}

func length(_ *parser, arguments []expression) func(m *machine) value {
	if len(arguments) == 0 {
		return func(m *machine) value { return countCharacters(m.whole()) }
	}
	a := arguments[0]
	return func(m *machine) value {
		if a.variable != nil && a.variable(m).array != nil {
			return numeric(float64(len(a.variable(m).array.elements)))
		}
		return countCharacters(m.text(a.eval(m)))
	}
}

func countCharacters(s string) value { return numeric(float64(utf8.RuneCountInString(s))) }

// position returns the place of the character at an offset, counting from 1, or 0 if it is negative.
func position(s string, offset int) float64 {
	if offset < 0 {
		return 0
	}
	return float64(utf8.RuneCountInString(s[:offset]) + 1)
}

func substring(_ *parser, arguments []expression) func(m *machine) value {
	return func(m *machine) value {
		s := m.text(arguments[0].eval(m))
		first := math.Trunc(arguments[1].eval(m).number())
		count := math.Inf(1)
		if len(arguments) == 3 {
			count = math.Trunc(arguments[2].eval(m).number())
		}
		return textual(strings.Clone(slice(s, first, count)))
	}
}

// matchText is match. With a third argument, it fills an array with the groups.
func matchText(p *parser, arguments []expression) func(m *machine) value {
	pattern := p.patternOf(arguments[1])
	if len(arguments) == 3 && arguments[2].variable == nil {
		p.fail("the third argument of match must be an array")
	}
	return func(m *machine) value {
		s := m.text(arguments[0].eval(m))
		groups := slices.Clone(pattern(m).Find(m.bytes(s), 0))
		start, size := 0.0, -1.0
		if groups != nil {
			start = position(s, groups[0])
			size = float64(utf8.RuneCountInString(s[groups[0]:groups[1]]))
		}
		m.globals[rstart].value, m.globals[rlength].value = numeric(start), numeric(size)
		if len(arguments) == 3 {
			m.putGroups(m.arrayOf(arguments[2].variable(m)), s, groups)
		}
		return numeric(start)
	}
}

func (m *machine) putGroups(a *array, s string, groups []int) {
	m.clear(a)
	for i := 0; i < len(groups); i += 2 {
		start, end := groups[i], groups[i+1]
		if start < 0 {
			continue
		}
		key := strconv.Itoa(i / 2)
		m.put(a, key, value{kind: input, s: s[start:end]})
		where := m.globals[subsep].s
		m.put(a, key+where+"start", numeric(position(s, start)))
		m.put(a, key+where+"length", countCharacters(s[start:end]))
	}
}

// splitText is split.
func splitText(p *parser, arguments []expression) func(m *machine) value {
	separator := func(m *machine) string { return m.globals[fs].s }
	if len(arguments) > 2 {
		separator = p.separator(arguments[2])
	}
	for i, a := range arguments {
		if i%2 == 1 && a.variable == nil {
			p.fail("argument %d of split must be an array", i+1)
		}
	}
	return func(m *machine) value {
		s := splitter{m: m, text: m.text(arguments[0].eval(m)), keeps: len(arguments) == 4}
		s.separator = separator(m)
		s.split()
		defer func() { m.account.Drop(16 * (cap(s.fields) + cap(s.between))) }()
		m.putAll(m.arrayOf(arguments[1].variable(m)), s.fields, 1)
		if s.keeps {
			first := 1
			if s.separator == " " {
				first = 0 // what is before the first field
			}
			m.putAll(m.arrayOf(arguments[3].variable(m)), s.between, first)
		}
		return numeric(float64(len(s.fields)))
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

// putAll makes texts the elements of an array.
func (m *machine) putAll(a *array, texts []string, first int) {
	m.clear(a)
	for i, text := range texts {
		m.account.Tick()
		m.put(a, strconv.Itoa(first+i), value{kind: input, s: text})
	}
}

// substitute is sub and gsub: it replaces the match with a number, or all for 0.
func substitute(which int) func(*parser, []expression) func(*machine) value {
	return func(p *parser, arguments []expression) func(m *machine) value {
		pattern := p.patternOf(arguments[0])
		target := fieldOf(constantOf(numeric(0)))
		if len(arguments) == 3 {
			target = arguments[2]
		}
		return func(m *machine) value {
			re := pattern(m)
			with := m.text(arguments[1].eval(m))
			s := replacement{m: m, text: m.text(target.eval(m)), with: with, which: which}
			if !re.Match(m.bytes(s.text)) {
				return numeric(0)
			}
			re.All([]byte(s.text), s.replace)
			if s.count > 0 && target.place != nil {
				m.assign(target.place(m), textual(s.result()))
			}
			return numeric(float64(s.count))
		}
	}
}

func generalSubstitute(p *parser, arguments []expression) func(m *machine) value {
	pattern := p.patternOf(arguments[0])
	target := fieldOf(constantOf(numeric(0)))
	if len(arguments) == 4 {
		target = arguments[3]
	}
	return func(m *machine) value {
		re := pattern(m)
		s := replacement{m: m, with: m.text(arguments[1].eval(m)), hasGroups: true}
		how := m.text(arguments[2].eval(m))
		if !strings.HasPrefix(how, "g") && !strings.HasPrefix(how, "G") {
			s.which = max(1, int(toNumber(how)))
		}
		s.text = m.text(target.eval(m))
		re.All([]byte(s.text), s.replace)
		return textual(s.result())
	}
}

// A replacement replaces matches in a text.
type replacement struct {
	m         *machine
	text      string
	with      string
	which     int  // the number of the match to replace; all for 0
	hasGroups bool // \1 is a group
	out       []byte
	done      int // the size of the text that is in out
	seen      int
	count     int
}

// replace is called for each match.
func (r *replacement) replace(groups []int) bool {
	r.seen++
	if r.which > 0 && r.seen != r.which {
		return true
	}
	r.count++
	r.add(r.text[r.done:groups[0]])
	r.done = groups[1]
	for with := r.with; with != ""; {
		special := strings.IndexAny(with, `\&`)
		if special < 0 {
			r.add(with)
			break
		}
		r.add(with[:special])
		with = r.special(with[special:], groups)
	}
	return r.which == 0
}

// special adds what the special character at the beginning of a text means. It returns the rest.
func (r *replacement) special(with string, groups []int) string {
	group := -1
	size := 1
	switch {
	case with[0] == '&':
		group = 0
	case len(with) == 1:
		r.add(`\`)
	case with[1] == '&', with[1] == '\\':
		r.add(with[1:2])
		size = 2
	case r.hasGroups && isDigit(with[1]):
		group = int(with[1] - '0')
		size = 2
	default:
		r.add(`\`)
	}
	if at := 2 * group; group >= 0 && at < len(groups) && groups[at] >= 0 {
		r.add(r.text[groups[at]:groups[at+1]])
	}
	return with[size:]
}

func (r *replacement) add(s string) {
	r.m.checkSize(len(r.out) + len(s))
	r.out = append(r.out, s...)
}

func (r *replacement) result() string {
	r.add(r.text[r.done:])
	return string(r.out)
}

func toNumberFunction(_ *parser, arguments []expression) func(m *machine) value {
	return func(m *machine) value {
		v := arguments[0].eval(m)
		if v.kind == number {
			return v
		}
		s := strings.TrimSpace(m.text(v))
		if len(s) > 1 && s[0] == '0' {
			if n, err := strconv.ParseUint(s, 0, 64); err == nil && bits.Len64(n) < 64 {
				return numeric(float64(n))
			}
		}
		return numeric(toNumber(s))
	}
}

func formatTime(p *parser, arguments []expression) func(m *machine) value {
	return func(m *machine) value {
		layout := "%a %b %e %H:%M:%S %Z %Y"
		at := time.Now()
		if len(arguments) > 0 {
			layout = m.text(arguments[0].eval(m))
		}
		if len(arguments) > 1 {
			at = time.Unix(int64(arguments[1].eval(m).number()), 0)
		}
		if len(arguments) > 2 && arguments[2].eval(m).isTrue() {
			at = at.UTC()
		}
		return textual(format.Time(layout, at))
	}
}

// sortArray is asort, or asorti for keys.
func sortArray(keys bool) func(*parser, []expression) func(*machine) value {
	return func(p *parser, arguments []expression) func(m *machine) value {
		for _, a := range arguments {
			if a.variable == nil {
				p.fail("an argument of asort must be an array")
			}
		}
		return func(m *machine) value {
			from := m.arrayOf(arguments[0].variable(m))
			to := m.arrayOf(arguments[len(arguments)-1].variable(m))
			m.account.Grab(64 * len(from.elements))
			defer m.account.Drop(64 * len(from.elements))
			var values []value
			for _, key := range from.ordered() {
				if keys {
					values = append(values, textual(key))
				} else {
					values = append(values, from.elements[key].value)
				}
			}
			slices.SortStableFunc(values, func(x, y value) int { return compareTyped(m, x, y) })
			m.clear(to)
			for i, v := range values {
				m.account.Tick()
				m.put(to, strconv.Itoa(i+1), v)
			}
			return numeric(float64(len(values)))
		}
	}
}

// formatted returns what printf prints.
func (m *machine) formatted(list []expression) string {
	values := make([]value, len(list))
	for i, e := range list {
		values[i] = e.eval(m)
	}
	f := formatter{m: m, arguments: values[1:]}
	for rest := m.text(values[0]); rest != ""; {
		before, after, found := strings.Cut(rest, "%")
		f.add(before)
		if !found {
			break
		}
		v, remaining := format.Parse(after, f.star)
		f.convert(v, "%"+after[:len(after)-len(remaining)])
		rest = remaining
	}
	return f.out.String()
}

// A formatter formats values.
type formatter struct {
	m         *machine
	arguments []value
	out       strings.Builder
}

func (f *formatter) add(s string) {
	f.m.checkSize(f.out.Len() + len(s))
	f.out.WriteString(s)
}

func (f *formatter) next() value {
	if len(f.arguments) == 0 {
		f.m.fatalf("not enough arguments to satisfy format string")
	}
	v := f.arguments[0]
	f.arguments = f.arguments[1:]
	return v
}

func (f *formatter) star() int { return int(f.next().number()) }

// convert formats the next value. source is the conversion as it is written.
func (f *formatter) convert(v format.Verb, source string) {
	f.m.checkSize(f.out.Len() + v.Size())
	switch v.Letter {
	case '%':
		f.add("%")
	case 'c':
		s := f.character(f.next().resolved())
		f.add(v.Text(s, utf8.RuneCountInString(s)))
	case 's':
		s := f.m.text(f.next())
		if v.Precision >= 0 {
			s = s[:skipCharacters(s, float64(v.Precision))]
		}
		f.add(v.Text(s, utf8.RuneCountInString(s)))
	case 'd', 'i', 'o', 'x', 'X', 'u':
		f.add(integer(v, f.next().number()))
	case 'e', 'E', 'f', 'F', 'g', 'G', 'a', 'A':
		f.add(v.Float(f.next().number()))
	default:
		f.add(source)
	}
}

func (f *formatter) character(v value) string {
	switch {
	case v.kind == number:
		return string(rune(int(v.n)))
	case v.s == "":
		return "\x00"
	}
	return v.s[:skipCharacters(v.s, 1)]
}

func integer(v format.Verb, n float64) string {
	n = math.Trunc(n)
	size := math.Abs(n)
	isSigned := v.Letter == 'd' || v.Letter == 'i'
	switch {
	case math.IsNaN(n), math.IsInf(n, 0):
		v.Letter, v.Plus, v.Precision = 'f', true, -1
		return v.Float(n)
	case size < 1<<63 && (isSigned || n >= 0):
		return v.Integer(n < 0, uint64(size))
	case n < 0 && !isSigned:
		v.Letter = 'd'
		return v.Integer(true, uint64(size))
	}
	v.Letter, v.Precision = 'f', 0
	return v.Float(n)
}
