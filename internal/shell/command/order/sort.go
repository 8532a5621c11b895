package order

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"gander/internal/shell/command"
)

const sortOptions = "-b --ignore-leading-blanks, -f --ignore-case, -h --human-numeric-sort, " +
	"-n --numeric-sort, -r --reverse, -k= --key=, -s --stable, -t= --field-separator=, -u --unique, " +
	"-z --zero-terminated, -o= --output="

// A sorter is a sort with its options.
type sorter struct {
	keys    []key
	global  ordering
	unique  bool
	stable  bool
	end     byte
	account *command.Account
}

func prepareSort(a command.Arguments) (command.Run, error) {
	s := sorter{unique: a.Has("-u"), stable: a.Has("-s"), end: '\n'}
	separator := -1
	for _, o := range a.Options {
		var err error
		switch o.Name {
		case "-k":
			err = s.addKey(o.Value)
		case "-t":
			before := separator
			separator, err = parseSeparator(o.Value)
			if err == nil && before >= 0 && before != separator {
				err = errors.New("incompatible tabs")
			}
		case "-o":
			err = command.Refuse("sort -o writes, and nothing can be written here; leave it out")
		case "-z":
			s.end = 0
		case "-s", "-u":
		default:
			if !s.global.set(o.Name[1]) {
				err = command.Refuse("sort -n -h: not available together; leave one out")
			}
		}
		if err != nil {
			return nil, err
		}
	}
	s.complete(separator)
	return func(ctx context.Context, c *command.Call) int {
		s.account = c.Account
		for _, line := range s.sorted(s.read(ctx, c, a.OperandsOr("-"))) {
			c.Out.Write(line)
			c.Out.WriteByte(s.end)
		}
		return 0
	}, nil
}

// unreadable are the errors about files.
var unreadable = command.Failures{Open: "cannot read: %s: %s", Read: "read failed: %s: %s"}

// complete gives the keys the global options and the separator.
func (s *sorter) complete(separator int) {
	hasOrder := s.global != ordering{} && s.global != ordering{reverse: true}
	if len(s.keys) == 0 && hasOrder {
		s.keys = []key{{ordering: s.global}}
	}
	for i := range s.keys {
		k := &s.keys[i]
		k.separator = separator
		if k.ordering == (ordering{}) && !k.endBlanks {
			k.ordering = s.global
			k.endBlanks = s.global.blanks
		}
	}
}

func parseSeparator(s string) (int, error) {
	switch {
	case s == "":
		return 0, errors.New("empty tab")
	case s == `\0`:
		return 0, nil
	case len(s) > 1:
		return 0, fmt.Errorf("multi-character tab ‘%s’", s)
	}
	return int(s[0]), nil
}

// block is the size of the blocks that hold the lines.
const block = 64 << 10

// read returns the lines of all files. Nothing is printed if one cannot be read.
func (s *sorter) read(ctx context.Context, c *command.Call, names []string) (lines [][]byte) {
	var inputs []*command.Input
	for _, name := range names {
		in := c.MustOpen(ctx, name, unreadable, 2)
		defer in.Close()
		c.Account.Grab(block)
		inputs = append(inputs, in)
	}
	var free []byte
	for i, in := range inputs {
		reader := command.Lines{Account: c.Account, End: s.end}
		for {
			text, _, err := reader.Next(in)
			if err == io.EOF {
				break
			}
			if err != nil {
				c.Failed(unreadable.Read, names[i], err)
				c.Exit(2)
			}
			if len(text) > len(free) {
				size := max(block, len(text))
				c.Account.Grab(size)
				free = make([]byte, size)
			}
			n := copy(free, text)
			lines = command.Append(c.Account, lines, free[:n:n])
			free = free[n:]
		}
		in.Close()
		c.Account.Drop(block)
	}
	return lines
}

func (s *sorter) sorted(lines [][]byte) [][]byte {
	slices.SortStableFunc(lines, s.compare)
	if !s.unique {
		return lines
	}
	return slices.CompactFunc(lines, func(a, b []byte) bool { return s.compare(a, b) == 0 })
}

func (s *sorter) compare(a, b []byte) int {
	s.account.Tick()
	for i := range s.keys {
		if n := s.keys[i].compare(a, b); n != 0 {
			return n
		}
	}
	if len(s.keys) > 0 && (s.stable || s.unique) {
		return 0
	}
	n := bytes.Compare(a, b)
	if s.global.reverse {
		return -n
	}
	return n
}
