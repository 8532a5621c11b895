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
	s.skipSpace()
	s.trimEnd()
	for i, name := range names {
		text := ""
		if i < len(names)-1 {
			text = s.next()
		} else {
			text = s.rest()
		}
		r.e.set(name, text)
	}
}

// A splitter splits a line as read does.
type splitter struct {
	line       glob.Text
	separators string
	at         int
}

func (s *splitter) isSeparator(at int) bool {
	return !s.line.IsQuoted(at) && strings.IndexByte(s.separators, s.line.Value[at]) >= 0
}

func (s *splitter) isSpace(at int) bool {
	return s.isSeparator(at) && strings.IndexByte(" \t\n", s.line.Value[at]) >= 0
}

func (s *splitter) skipSpace() {
	for s.at < len(s.line.Value) && s.isSpace(s.at) {
		s.at++
	}
}

// trimEnd removes white space from the end.
func (s *splitter) trimEnd() {
	end := len(s.line.Value)
	for end > s.at && s.isSpace(end-1) {
		end--
	}
	s.line = s.line.Cut(0, end)
}

// next returns the next field.
func (s *splitter) next() string {
	start := s.at
	for s.at < len(s.line.Value) && !s.isSeparator(s.at) {
		s.at++
	}
	text := strings.Clone(s.line.Value[start:s.at])
	s.skipSpace()
	if s.at < len(s.line.Value) && s.isSeparator(s.at) {
		s.at++
		s.skipSpace()
	}
	return text
}

// rest returns what follows. If that is one field and a separator, it is only the field.
func (s *splitter) rest() string {
	start := s.at
	if first := s.next(); s.at == len(s.line.Value) {
		return first
	}
	return s.line.Value[start:]
}
