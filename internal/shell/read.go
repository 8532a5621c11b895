package shell

import (
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
	"gander/internal/shell/glob"
)

func runRead(e *environment, c *command.Call, a command.Arguments) int {
	isRaw, delimiter := a.Has("-r"), byte('\n')
	if value, ok := a.Value("-d"); ok {
		delimiter = (value + "\x00")[0]
	}
	if len(a.Operands) > 0 {
		checkName(c, a.Operands[0])
	}
	x := &expander{e: e, account: c.Account}
	isEnded := x.line(c.In, delimiter, isRaw)
	line := x.whole()
	if !utf8.ValidString(line.Value) {
		command.Stop("read: a line is not UTF-8, which bash reads in another way; use awk")
	}
	e.assignFields(c, a.Operands, line)
	return statusOf(isEnded)
}

// checkName ends the command if it cannot assign a variable. What it has assigned before stays.
func checkName(c *command.Call, name string) {
	if !syntax.ValidName(name) {
		c.Fatalf(1, "`%s': not a valid identifier", name)
	}
}

// line adds a line, whose quoted characters had a backslash. It reports whether its end was found.
func (x *expander) line(in *command.Input, delimiter byte, isRaw bool) bool {
	for {
		x.account.Tick()
		b, err := in.ReadByte()
		isQuoted := err == nil && b == '\\' && b != delimiter && !isRaw
		if isQuoted {
			b, err = in.ReadByte()
		}
		switch {
		case err != nil:
			return false
		case b == delimiter && !isQuoted:
			return true
		case isQuoted && b == '\n', b == 0:
		default:
			x.add(string([]byte{b}), isQuoted)
		}
	}
}

// assignFields assigns a line, split at the characters of IFS, to variables.
func (e *environment) assignFields(c *command.Call, names []string, line glob.Text) {
	if len(names) == 0 {
		e.set("REPLY", line.Value)
		return
	}
	s := splitter{line: line, separators: e.separators()}
	others := strings.Trim(s.separators, whiteSpace)
	if others != "" && others != s.separators && slices.Contains(line.Quoted, true) {
		command.Stop("read: with this IFS and a backslash in the line, only read -r is available here")
	}
	if strings.ContainsFunc(s.separators, func(r rune) bool { return r >= utf8.RuneSelf }) {
		command.Stop("read: IFS with a character outside of ASCII is not available here; use awk -F")
	}
	s.skip(0)
	s.trimEnd()
	for i, name := range names {
		checkName(c, name)
		text := ""
		if i < len(names)-1 {
			text = s.next()
			s.skip(1)
		} else {
			text = s.rest()
		}
		e.set(name, strings.Clone(text))
	}
}

// A splitter splits a text at those characters of IFS that are not quoted.
type splitter struct {
	line       glob.Text
	separators string
	at         int
}

// separator returns the size of the separator at an offset, which is 0 if there is none.
func (s *splitter) separator(at int) (size int, isSpace bool) {
	if at == len(s.line.Value) || s.line.IsQuoted(at) {
		return 0, false
	}
	r, size := utf8.DecodeRuneInString(s.line.Value[at:])
	if !strings.ContainsRune(s.separators, r) {
		return 0, false
	}
	return size, strings.ContainsRune(whiteSpace, r)
}

// next returns the text before the next separator, and moves there.
func (s *splitter) next() string {
	start := s.at
	for ; s.at < len(s.line.Value); s.at++ {
		if size, _ := s.separator(s.at); size > 0 {
			break
		}
	}
	return s.line.Value[start:s.at]
}

// skip passes white space, with at most some other separators, and reports whether there was one.
func (s *splitter) skip(others int) (isHard bool) {
	for {
		size, isSpace := s.separator(s.at)
		if size == 0 || !isSpace && others == 0 {
			return isHard
		}
		if !isSpace {
			isHard = true
			others--
		}
		s.at += size
	}
}

// trimEnd removes white space from the end.
func (s *splitter) trimEnd() {
	end := len(s.line.Value)
	for end > s.at {
		if _, isSpace := s.separator(end - 1); !isSpace {
			break
		}
		end--
	}
	s.line = s.line.Cut(0, end)
}

// rest returns what follows. If that is one field and a separator, it is only the field.
func (s *splitter) rest() string {
	start := s.at
	first := s.next()
	if s.skip(1); s.at == len(s.line.Value) {
		return first
	}
	return s.line.Value[start:]
}
