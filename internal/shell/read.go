package shell

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
	"gander/internal/shell/glob"
)

// A reading is what read does.
type reading struct {
	e         *environment
	c         *command.Call
	raw       bool
	delimiter byte
}

func runRead(e *environment, c *command.Call, options []command.Option, names []string) int {
	r := reading{e: e, c: c, delimiter: '\n'}
	for _, o := range options {
		if o.Name == "-r" {
			r.raw = true
		} else {
			r.delimiter = (o.Value + "\x00")[0]
		}
	}
	for _, name := range names {
		if !syntax.ValidName(name) {
			c.Fatalf(1, "`%s': not a valid identifier", name)
		}
	}
	line, isEnded := r.line()
	if !utf8.ValidString(line.Value) {
		refuse("read: a line is not UTF-8, which bash reads in another way; use awk")
	}
	r.assign(names, line)
	return statusOf(isEnded)
}

// line reads a line, whose quoted characters had a backslash. It reports whether its end was found.
func (r *reading) line() (glob.Text, bool) {
	x := &expander{e: r.e, account: r.c.Account}
	for {
		r.c.Account.Tick()
		b, err := r.c.In.ReadByte()
		isQuoted := false
		switch {
		case err != nil:
			return x.joined(), false
		case b == r.delimiter:
			return x.joined(), true
		case b == '\\' && !r.raw:
			if b, err = r.c.In.ReadByte(); err != nil {
				return x.joined(), false
			}
			if b == '\n' {
				continue
			}
			isQuoted = true
		}
		if b != 0 {
			x.add(string([]byte{b}), isQuoted)
		}
	}
}

// assign assigns a line, split at the characters of IFS, to variables.
func (r *reading) assign(names []string, line glob.Text) {
	if len(names) == 0 {
		r.e.set("REPLY", line.Value)
		return
	}
	s := splitter{line: line, separators: r.e.separators()}
	if strings.ContainsFunc(s.separators, func(r rune) bool { return r >= utf8.RuneSelf }) {
		refuse("read: IFS with a character outside of ASCII is not available here; use awk -F")
	}
	s.skip(0)
	s.trimEnd()
	for i, name := range names {
		text := ""
		if i < len(names)-1 {
			text = s.next()
			s.skip(1)
		} else {
			text = s.rest()
		}
		r.e.set(name, strings.Clone(text))
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
