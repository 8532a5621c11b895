// Package order has the commands on sorted lines: sort, uniq and comm.
package order

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"gander/internal/shell/command"
)

// Commands returns the commands of the package.
func Commands() []command.Command {
	return []command.Command{
		command.New("sort", "[FILE]...", 2, sortOptions, prepareSort),
		command.New("uniq", "[FILE]", 1, "-c --count, -d --repeated, -u --unique, -i --ignore-case",
			prepareUniq),
		command.New("comm", "FILE FILE", 1, "-1, -2, -3", prepareComm),
	}
}

// A uniq prints one of equal lines that follow each other.
type uniq struct{ count, onlyRepeated, onlyUnique, fold bool }

func prepareUniq(a command.Arguments) (command.Run, error) {
	u := uniq{
		count: a.Has("-c"), onlyRepeated: a.Has("-d"), onlyUnique: a.Has("-u"), fold: a.Has("-i"),
	}
	if len(a.Operands) > 1 {
		return nil, command.Refuse("uniq %s %s: the second file would be written; use only one file",
			a.Operands[0], a.Operands[1])
	}
	return func(ctx context.Context, c *command.Call) int {
		return c.Each(ctx, a.Operands, command.Failures{}, func(in *command.Input, _ string) error {
			return u.run(c, in)
		})
	}, nil
}

func (u *uniq) run(c *command.Call, in *command.Input) error {
	lines := command.Lines{Account: c.Account, End: '\n'}
	var held []byte // the first of equal lines
	n := 0
	for {
		text, _, err := lines.Next(in)
		if err != nil {
			u.print(c.Out, held, n)
			return err
		}
		isSame := bytes.Equal(held, text) || u.fold && compareFolded(held, text) == 0
		if n == 0 || !isSame {
			u.print(c.Out, held, n)
			held = command.Append(c.Account, held[:0], text...)
			n = 0
		}
		n++
	}
}

// print prints a line that was there n times.
func (u *uniq) print(out *command.Output, line []byte, n int) {
	isLeftOut := u.onlyRepeated && n == 1 || u.onlyUnique && n > 1
	if n == 0 || isLeftOut {
		return
	}
	if u.count {
		fmt.Fprintf(out, "%7d ", n)
	}
	out.Line(line)
}

// A comparison is a comm with its options.
type comparison struct {
	hidden    [3]bool // its columns
	isChecked bool    // that lines are sorted, after the first line of only one file

	c      *command.Call
	sides  [2]side
	status int
}

// A side is one of the files.
type side struct {
	name     string
	in       *command.Input
	reader   command.Lines
	line     []byte
	before   []byte // the line before it
	hasLine  bool
	reported bool
}

func prepareComm(a command.Arguments) (command.Run, error) {
	k := comparison{hidden: [3]bool{a.Has("-1"), a.Has("-2"), a.Has("-3")}}
	switch {
	case len(a.Operands) < 2:
		return nil, a.MissingOperand()
	case len(a.Operands) > 2:
		return nil, a.ExtraOperand(2)
	}
	return func(ctx context.Context, c *command.Call) int {
		k.c = c
		for i, name := range a.Operands {
			in := c.MustOpen(ctx, name, command.Failures{}, 1)
			defer in.Close()
			lines := command.Lines{Account: c.Account, End: '\n'}
			k.sides[i] = side{name: name, in: in, reader: lines}
		}
		k.run()
		if k.status != 0 {
			c.Errorf("input is not in sorted order")
		}
		return k.status
	}, nil
}

func (k *comparison) run() {
	k.next(0)
	k.next(1)
	left, right := &k.sides[0], &k.sides[1]
	for left.hasLine || right.hasLine {
		order := bytes.Compare(left.line, right.line)
		switch {
		case !right.hasLine, left.hasLine && order < 0:
			k.isChecked = true
			k.print(0, left.line)
			k.next(0)
		case !left.hasLine, order > 0:
			k.isChecked = true
			k.print(1, right.line)
			k.next(1)
		default:
			k.print(2, left.line)
			k.next(0)
			k.next(1)
		}
	}
}

// next reads the next line of a side.
func (k *comparison) next(i int) {
	s := &k.sides[i]
	text, _, err := s.reader.Next(s.in)
	switch err {
	case nil:
		s.before, s.line = s.line, s.before
		s.line = command.Append(k.c.Account, s.line[:0], text...)
		s.hasLine = true
	case io.EOF:
		s.hasLine = false // a line of only one file may have come since the last check
	default:
		k.c.Failed("", s.name, err)
		k.c.Exit(1)
	}
	k.checkOrder(i)
}

// checkOrder reports the first line of a side that is known to be before its predecessor.
func (k *comparison) checkOrder(i int) {
	s := &k.sides[i]
	if !k.isChecked || s.reported || bytes.Compare(s.before, s.line) <= 0 {
		return
	}
	k.c.Errorf("file %d is not in sorted order", i+1)
	s.reported = true
	k.status = 1
}

func (k *comparison) print(column int, line []byte) {
	if k.hidden[column] {
		return
	}
	for i := range column {
		if !k.hidden[i] {
			k.c.Out.WriteByte('\t')
		}
	}
	k.c.Out.Line(line)
}
