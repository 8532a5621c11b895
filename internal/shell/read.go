package shell

import (
	"strconv"
	"strings"

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
	count     int // of characters; -1 for a line
	exact     bool
	array     string
}

func runRead(e *environment, c *command.Call, options []command.Option, names []string) int {
	r := reading{e: e, c: c, delimiter: '\n', count: -1}
	for _, o := range options {
		switch o.Name {
		case "-r":
			r.raw = true
		case "-a":
			r.array = o.Value
		case "-d":
			r.delimiter = (o.Value + "\x00")[0]
		case "-n", "-N":
			n, err := strconv.Atoi(o.Value)
			if err != nil || n < 0 {
				c.Fatalf(1, "%s: invalid number", o.Value)
			}
			r.count, r.exact = n, o.Name == "-N"
		}
	}
	for _, name := range names {
		if !syntax.ValidName(name) {
			c.Fatalf(1, "`%s': not a valid identifier", name)
		}
	}
	line, isEnded := r.line()
	if err := r.assign(names, line); err != nil {
		c.Fatalf(1, "%v", err)
	}
	return statusOf(isEnded)
}

// line reads a line, whose quoted characters had a backslash. It reports whether its end was found.
func (r *reading) line() (glob.Text, bool) {
	x := &expander{e: r.e, account: r.c.Account}
	for chars := 0; r.count < 0 || chars < r.count; chars++ {
		r.c.Account.Tick()
		b, err := r.c.In.ReadByte()
		isQuoted := false
		switch {
		case err != nil:
			return x.joined(), false
		case b == r.delimiter && !r.exact:
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
		if b >= 0x80 && b < 0xc0 { // not the first byte of a character
			chars--
		}
	}
	return x.joined(), true
}

// assign assigns a line, split at the characters of IFS, to variables.
func (r *reading) assign(names []string, line glob.Text) error {
	if len(names) == 0 && r.array == "" {
		return r.e.set("REPLY", line.Value)
	}
	if r.exact && r.array == "" {
		line.Quoted = make([]bool, len(line.Value))
		for i := range line.Quoted {
			line.Quoted[i] = true
		}
	}
	separators, isSet := r.e.value("IFS")
	if !isSet {
		separators = " \t\n"
	}
	s := splitter{line: line, separators: separators}
	s.skipSpace()
	s.trimEnd()
	if r.array != "" {
		var list []string
		for s.at < len(s.line.Value) {
			list = command.Append(r.c.Account, list, s.next())
		}
		return r.e.setList(r.array, list)
	}
	for i, name := range names {
		text := ""
		if i < len(names)-1 {
			text = s.next()
		} else {
			text = s.rest()
		}
		if err := r.e.set(name, text); err != nil {
			return err
		}
	}
	return nil
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

func runMapfile(e *environment, c *command.Call, options []command.Option, names []string) int {
	trims, most := false, 0
	lines := command.Lines{Account: c.Account, End: '\n'}
	for _, o := range options {
		switch o.Name {
		case "-t":
			trims = true
		case "-d":
			lines.End = (o.Value + "\x00")[0]
		case "-n":
			most, _ = strconv.Atoi(o.Value)
		}
	}
	name := "MAPFILE"
	if len(names) > 0 {
		name = names[0]
	}
	var list []string
	for most == 0 || len(list) < most {
		text, isEnded, err := lines.Next(c.In)
		if err != nil {
			break
		}
		c.Account.Grab(len(text) + 1)
		line := string(text)
		if isEnded && !trims {
			line += string(lines.End)
		}
		list = command.Append(c.Account, list, line)
	}
	if err := e.setList(name, list); err != nil {
		c.Fatalf(1, "%v", err)
	}
	return 0
}
