package sed

import (
	"slices"
	"strings"
	"unicode/utf8"

	"gander/internal/shell/regex"
)

const (
	noArguments = "=dDFgGhHnNpPxz"
	// refused are commands that run programs, and those that nobody needs.
	refused = "eLv"
)

// withoutAddress are the errors about an address before what has none.
var withoutAddress = map[byte]string{
	'#': "comments don't accept any addresses", '}': "} doesn't want any addresses",
	':': ": doesn't want any addresses",
}

// arguments parses what follows the name of a command.
func (p *parser) arguments(in *instruction) {
	if problem := withoutAddress[in.name]; problem != "" && in.from != nil {
		p.fail("%s", problem)
	}
	switch in.name {
	case '#':
		p.until("\n")
		return
	case '{':
		p.blocks = append(p.blocks, len(p.script.commands))
	case '}':
		p.closeBlock()
		return
	case ':':
		p.label()
		return
	case 'a', 'i', 'c':
		in.text = p.text()
	case 'b', 't', 'T':
		p.skip(" \t")
		in.text = p.until("; \t\n}")
		p.end()
	case 'l', 'q', 'Q':
		p.skip(" \t")
		given, ok := p.number()
		in.number = given
		if in.name == 'l' && !ok {
			in.number = defaultWidth
		}
		p.end()
	case 'r', 'R':
		in.text = p.file()
	case 's':
		p.substitution(in)
		p.end()
	case 'w', 'W':
		in.text = p.stream()
	case 'y':
		p.transliteration(in)
		p.end()
	default:
		if strings.IndexByte(refused, in.name) >= 0 {
			p.refuse("sed: the command %c is not available here; use another command, such as tr or cat",
				in.name)
		}
		if strings.IndexByte(noArguments, in.name) < 0 {
			p.fail("unknown command: `%c'", in.name)
		}
		p.end()
	}
	if in.to != nil && (in.name == 'q' || in.name == 'Q') {
		p.fail("command only uses one address")
	}
	p.script.commands = append(p.script.commands, *in)
}

// end moves to the end of a command.
func (p *parser) end() {
	p.skip(" \t")
	switch p.peek() {
	case ';', '\n':
		p.i++
	case '}', '#':
	default:
		if p.i < len(p.s) {
			p.fail("unknown option or extra characters after command")
		}
	}
}

func (p *parser) closeBlock() {
	if len(p.blocks) == 0 {
		p.fail("unexpected `}'")
	}
	last := len(p.blocks) - 1
	p.script.commands[p.blocks[last]].target = len(p.script.commands)
	p.blocks = p.blocks[:last]
	p.end()
}

func (p *parser) label() {
	p.skip(" \t")
	name := p.until(";\n")
	trimmed := strings.TrimRight(name, " \t")
	switch {
	case trimmed == "":
		p.fail("\":\" lacks a label")
	case strings.ContainsAny(trimmed, " \t"):
		p.refuse("sed: the label %q contains a space; use a name without", trimmed)
	}
	p.labels[trimmed] = len(p.script.commands)
}

// text parses the text of a, i or c.
func (p *parser) text() string {
	p.skip(" \t")
	switch {
	case p.i == len(p.s):
		p.fail("expected \\ after `a', `c' or `i'")
	case p.s[p.i:] == `\`:
		p.i++
		return ""
	case strings.HasPrefix(p.s[p.i:], "\\\n"):
		p.i += 2
	case p.s[p.i] == '\\':
		p.i++
		if blank := strings.TrimLeft(p.s[p.i:], " \t"); strings.HasPrefix(blank, "\n") {
			p.i = len(p.s) - len(blank) + 1
		}
	}
	var b strings.Builder
	for p.i < len(p.s) && p.s[p.i] != '\n' {
		rest := p.s[p.i:]
		if rest[0] != '\\' || len(rest) == 1 {
			b.WriteByte(rest[0])
			p.i++
			continue
		}
		value, size := regex.Escape(rest, false)
		if size == 0 {
			value, size = rest[1], 2
		}
		b.WriteByte(value)
		p.i += size
	}
	p.i = min(p.i+1, len(p.s))
	return b.String() + "\n"
}

// file parses the name of a file.
func (p *parser) file() string {
	p.skip(" \t")
	name := p.until("\n")
	if name == "" {
		p.fail("missing filename in r/R/w/W commands")
	}
	return name
}

// The files that can be written.
const (
	standardOutput = "/dev/stdout"
	standardError  = "/dev/stderr"
)

// stream parses the name of a file that is written.
func (p *parser) stream() string {
	name := p.file()
	if name != standardOutput && name != standardError {
		p.refuse("sed: w %s writes, and nothing can be written here; print the lines", name)
	}
	return name
}

// twoTexts parses the arguments of s or y, which a delimiter begins, divides and ends. The first of
// s is a regular expression.
func (p *parser) twoTexts(command byte) (first, second string) {
	delimiter := p.peek()
	p.i = min(p.i+1, len(p.s))
	first, ok1 := p.delimited(delimiter, command == 's')
	second, ok2 := p.delimited(delimiter, false)
	if !ok1 || !ok2 {
		p.fail("unterminated `%c' command", command)
	}
	return first, second
}

// transliteration parses the arguments of y.
func (p *parser) transliteration(in *instruction) {
	from, to := p.twoTexts('y')
	before, after := p.letters(from), p.letters(to)
	if len(before) != len(after) {
		p.fail("strings for `y' command are different lengths")
	}
	in.letters = make(map[rune]rune)
	for i, r := range slices.Backward(before) { // the first of equal ones counts
		in.letters[r] = after[i]
		if r >= utf8.RuneSelf {
			in.letters[stray(string(r)[0])] = after[i]
		}
	}
}

// stray returns what stands in letters for a byte that is no character. sed takes it for the
// character that begins with it.
func stray(b byte) rune { return -rune(b) }

// letters returns the characters of an argument of y.
func (p *parser) letters(s string) (list []rune) {
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		if r == '\\' && len(s) > 1 {
			var value byte
			value, size = regex.Escape(s, false)
			r = rune(value)
			if size == 0 {
				r, size = utf8.DecodeRuneInString(s[1:])
				size++
			}
		}
		isByte := r >= utf8.RuneSelf && size > 1 && s[0] == '\\' && s[1] < utf8.RuneSelf
		if isByte || r == utf8.RuneError {
			p.refuse("sed: y with a byte above 127 is not available here; write the character")
		}
		list = append(list, r)
		s = s[size:]
	}
	return list
}
