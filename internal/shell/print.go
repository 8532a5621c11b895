package shell

import (
	"math/big"
	"strconv"
	"strings"

	"gander/internal/shell/command"
	"gander/internal/shell/command/format"
)

func runEcho(e *environment, c *command.Call, a command.Arguments) int {
	args := a.Operands
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

func runPrintf(_ *environment, c *command.Call, a command.Arguments) int {
	if len(a.Operands) == 0 {
		c.Fatalf(2, "usage: printf format [arguments]")
	}
	p := printer{c: c, args: a.Operands[1:]}
	for isFirst := true; isFirst || len(p.args) > 0; isFirst = false {
		c.Account.Tick()
		count := len(p.args)
		if !p.once(a.Operands[0]) || len(p.args) == count {
			break
		}
	}
	return p.status
}

// A printer is a call of printf, which writes its format again and again until no argument is left.
type printer struct {
	c      *command.Call
	args   []string // that are left
	status int
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
		if n < 0 || text[n:] == `\` {
			n = len(text)
		}
		p.c.Out.WriteString(text[:n])
		text = text[n:]
		switch {
		case text == "":
		case strings.HasPrefix(text, "%%"):
			p.c.Out.WriteByte('%')
			text = text[2:]
		case text[0] == '\\':
			value, size, ends := escape(text[1:], escapesOfFormat)
			if ends || text[1] == 'c' {
				command.Stop(`printf: \c in the format is not available here; use %%b`)
			}
			p.c.Out.WriteString(value)
			text = text[1+size:]
		default:
			verb, rest := format.Parse(text[1:], p.star)
			if verb.Letter == 0 {
				p.c.EarlyErrorf("`%s': missing format character", text)
				p.status = 1
				return false
			}
			if !p.conversion(verb) {
				return false
			}
			text = rest
		}
	}
	return true
}

// star returns the number that "*" stands for.
func (p *printer) star() int { return int(p.integer(p.next())) }

// conversions are the letters of the conversions.
const conversions = "sbcdiuoxXeEfFgG"

// conversion writes the next argument. It reports whether the output goes on.
func (p *printer) conversion(v format.Verb) bool {
	p.c.Account.Grab(v.Size())
	defer p.c.Account.Drop(v.Size())
	switch v.Letter {
	case 's':
		p.text(v, p.next())
	case 'b':
		text, ends := unescape(p.next(), escapesOfText)
		p.text(v, text)
		return !ends
	case 'c':
		arg := p.next()
		if arg == "" {
			command.Stop("printf %%c: an empty argument is not available here; use %%s")
		}
		v.Precision = -1
		p.text(v, arg[:1])
	case 'd', 'i':
		n := p.integer(p.next())
		magnitude := uint64(n)
		if n < 0 {
			magnitude = -magnitude
		}
		p.c.Out.WriteString(v.Integer(n < 0, magnitude))
	case 'u', 'o', 'x', 'X':
		p.c.Out.WriteString(v.Integer(false, uint64(p.integer(p.next()))))
	case 'e', 'E', 'f', 'F', 'g', 'G':
		p.c.Out.WriteString(p.float(v, p.next()))
	default:
		command.Stop("printf %%%c: this conversion is not available here", v.Letter)
	}
	return true
}

// text writes a text, whose bytes count as columns.
func (p *printer) text(v format.Verb, s string) {
	if v.Precision >= 0 && v.Precision < len(s) {
		s = s[:v.Precision]
	}
	p.c.Out.WriteString(v.Text(s, len(s)))
}

// integer parses an integer as in C. It refuses another argument, of which bash uses a part.
func (p *printer) integer(arg string) int64 {
	if arg == "" {
		return 0
	}
	if !number.MatchString(arg) {
		command.Stop("printf: %.40q is no integer; use %%s", arg)
	}
	return parseNumber(arg)
}

// float formats a number. It refuses another argument, of which bash uses a part, and one that
// shows that bash calculates with 64 binary digits.
func (p *printer) float(v format.Verb, arg string) string {
	if arg == "" {
		return v.Float(0)
	}
	x, err := strconv.ParseFloat(arg, 64)
	if err != nil || strings.Trim(arg, "+-.0123456789eE") != "" {
		command.Stop("printf: %.40q is no decimal number; use %%s", arg)
	}
	precision := v.Precision
	if precision < 0 {
		precision = 6
	}
	exact, _, err := big.ParseFloat(arg, 10, 64, big.ToNearestEven)
	letter := v.Letter | 0x20
	if err != nil || exact.Text(letter, precision) != strconv.FormatFloat(x, letter, precision, 64) {
		command.Stop("printf: %.40q has other digits in bash; use fewer", arg)
	}
	return v.Float(x)
}
