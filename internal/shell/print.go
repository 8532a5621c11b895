package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"gander/internal/shell/command"
	"gander/internal/shell/command/format"
)

func runEcho(e *environment, c *command.Call, _ []command.Option, args []string) int {
	hasNewline, hasEscapes := true, e.isDash
	if e.isDash && len(args) > 0 && args[0] == "-n" {
		hasNewline, args = false, args[1:]
	}
	for !e.isDash && len(args) > 0 && isEchoOption(args[0]) {
		for _, letter := range args[0][1:] {
			switch letter {
			case 'n':
				hasNewline = false
			default:
				hasEscapes = letter == 'e'
			}
		}
		args = args[1:]
	}
	for i, arg := range args {
		if i > 0 {
			c.Out.WriteByte(' ')
		}
		ends := false
		if hasEscapes {
			c.Account.Grab(len(arg))
			arg, ends = unescape(arg, escapesOfEcho)
		}
		c.Out.WriteString(arg)
		if ends {
			return 0
		}
	}
	if hasNewline {
		c.Out.WriteByte('\n')
	}
	return 0
}

func isEchoOption(arg string) bool {
	return len(arg) > 1 && arg[0] == '-' && strings.Trim(arg[1:], "neE") == ""
}

func runPrintf(e *environment, c *command.Call, options []command.Option, args []string) int {
	if len(args) == 0 {
		c.Fatalf(2, "usage: printf [-v var] format [arguments]")
	}
	p := printer{c: c, out: c.Out, args: args[1:]}
	if len(options) == 0 {
		return p.print(args[0])
	}
	captured := &capture{account: c.Account}
	p.out = command.NewOutput(captured)
	defer p.out.Close()
	status := p.print(args[0])
	p.out.Flush()
	if err := e.set(options[0].Value, string(captured.data)); err != nil {
		c.Fatalf(1, "%v", err)
	}
	return status
}

// A printer is a call of printf.
type printer struct {
	c      *command.Call
	out    *command.Output
	args   []string // that are left
	status int
}

// print writes a format again and again until no argument is left.
func (p *printer) print(format string) int {
	for {
		p.c.Account.Tick()
		count := len(p.args)
		if !p.once(format) || len(p.args) == 0 || len(p.args) == count {
			return p.status
		}
	}
}

func (p *printer) next() string {
	if len(p.args) == 0 {
		return ""
	}
	arg := p.args[0]
	p.args = p.args[1:]
	return arg
}

// once writes a format once. It reports whether it has reached its end.
func (p *printer) once(text string) bool {
	for text != "" {
		n := strings.IndexAny(text, `\%`)
		if n < 0 {
			p.out.WriteString(text)
			return true
		}
		p.out.WriteString(text[:n])
		text = text[n:]
		if strings.HasPrefix(text, "%%") {
			p.out.WriteByte('%')
			text = text[2:]
			continue
		}
		if text[0] == '\\' {
			if len(text) == 1 {
				p.out.WriteByte('\\')
				return true
			}
			value, size, ends := escape(text[1:], escapesOfFormat)
			if ends || text[1] == 'c' {
				return false
			}
			p.out.WriteString(value)
			text = text[1+size:]
			continue
		}
		verb, rest := format.Parse(text[1:], p.star)
		if verb.Letter == 0 {
			p.c.Errorf("`%s': missing format character", text)
			p.status = 1
			return false
		}
		text = rest
		if !p.conversion(verb) {
			return false
		}
	}
	return true
}

// star returns the number that "*" stands for.
func (p *printer) star() int {
	n, _ := strconv.Atoi(p.next())
	return n
}

// conversions are the letters of the conversions.
const conversions = "sbqcdiuoxXaAeEfFgG"

// conversion writes the next argument. It reports whether the output goes on.
func (p *printer) conversion(v format.Verb) bool {
	p.c.Account.Grab(v.Size())
	defer p.c.Account.Drop(v.Size())
	switch v.Letter {
	case 's':
		p.text(v, p.next())
	case 'b':
		text, ends := unescape(p.next(), escapesOfEcho)
		p.text(v, text)
		return !ends
	case 'q':
		p.text(v, quoteWord(p.next()))
	case 'c':
		arg := p.next()
		p.text(v, arg[:min(1, len(arg))])
	case 'd', 'i':
		n := p.integer(p.next())
		magnitude := uint64(n)
		if n < 0 {
			magnitude = -magnitude
		}
		p.out.WriteString(v.Integer(n < 0, magnitude))
	case 'u', 'o', 'x', 'X':
		p.out.WriteString(v.Integer(false, uint64(p.integer(p.next()))))
	case 'a', 'A', 'e', 'E', 'f', 'F', 'g', 'G':
		p.out.WriteString(v.Float(p.float(p.next())))
	default:
		refuse("printf %%%c: this conversion is not available here", v.Letter)
	}
	return true
}

// text writes a text, whose bytes count as columns.
func (p *printer) text(v format.Verb, s string) {
	if v.Precision >= 0 && v.Precision < len(s) {
		s = s[:v.Precision]
	}
	p.out.WriteString(v.Text(s, len(s)))
}

// integer parses an integer as in C, or the code of a character after a quote.
func (p *printer) integer(arg string) int64 {
	arg = strings.TrimLeft(arg, " \t\n")
	if arg == "" {
		return 0
	}
	if arg[0] == '\'' || arg[0] == '"' {
		r, size := utf8.DecodeRuneInString(arg[1:])
		if size == 0 {
			return 0
		}
		return int64(r)
	}
	sign := len(arg) - len(strings.TrimLeft(arg, "+-"))
	size := sign
	base := 10
	if rest := arg[sign:]; len(rest) > 1 && rest[0] == '0' {
		base = 8
		if rest[1] == 'x' || rest[1] == 'X' {
			base, size = 16, sign+2
		}
	}
	for size < len(arg) && digitValue(arg[size], 16) < base {
		size++
	}
	text := arg[:size]
	if sign > 1 {
		text = ""
	}
	n, err := strconv.ParseInt(text, 0, 64)
	if unsigned, tooLarge := strconv.ParseUint(text, 0, 64); err != nil && tooLarge == nil {
		n = int64(unsigned)
	}
	if text == "" || size < len(arg) {
		p.c.Errorf("%s: invalid number", arg)
		p.status = 1
	}
	return n
}

// float parses a floating-point number, as far as the argument is one.
func (p *printer) float(arg string) float64 {
	text := strings.TrimLeft(arg, " \t\n")
	if text == "" {
		return 0
	}
	if text[0] == '\'' || text[0] == '"' {
		return float64(p.integer(text))
	}
	x, size := leadingFloat(text)
	if size < len(text) {
		p.c.Errorf("%s: invalid number", arg)
		p.status = 1
	}
	return x
}

// leadingFloat parses the number at the beginning of s, as strtod does without hexadecimal digits,
// and returns its size, which is 0 if there is none.
func leadingFloat(s string) (x float64, size int) {
	at := 0
	if at < len(s) && (s[at] == '+' || s[at] == '-') {
		at++
	}
	count := func() int {
		start := at
		for at < len(s) && s[at] >= '0' && s[at] <= '9' {
			at++
		}
		return at - start
	}
	digits := count()
	if at < len(s) && s[at] == '.' {
		at++
		digits += count()
	}
	if digits == 0 {
		return 0, 0
	}
	size = at
	if at < len(s) && (s[at] == 'e' || s[at] == 'E') {
		at++
		if at < len(s) && (s[at] == '+' || s[at] == '-') {
			at++
		}
		if count() > 0 {
			size = at
		}
	}
	x, _ = strconv.ParseFloat(s[:size], 64)
	return x, size
}

// quoteWord quotes a word for the shell.
func quoteWord(s string) string {
	if s == "" {
		return "''"
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		refuse("printf %%q: control characters are not available here")
	}
	var b strings.Builder
	for _, c := range []byte(s) {
		if strings.IndexByte(" !\"#$&'()*,;<>?[\\]^`{|}~", c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}
