package order

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"strconv"

	"gander/internal/shell/command"
)

// A uniq prints one of equal lines that follow each other.
type uniq struct {
	count, onlyRepeated, all, onlyUnique, fold bool

	fields, chars, width int
	end                  byte
}

func prepareUniq(a command.Arguments) (command.Run, error) {
	u := uniq{
		count: a.Has("-c"), onlyRepeated: a.Has("-d"), all: a.Has("-D"), onlyUnique: a.Has("-u"),
		fold: a.Has("-i"), width: math.MaxInt, end: lineEnd(a),
	}
	for _, o := range a.Options {
		target, what := &u.fields, "number of fields to skip"
		switch o.Name {
		case "-f":
		case "-s":
			target, what = &u.chars, "number of bytes to skip"
		case "-w":
			target, what = &u.width, "number of bytes to compare"
		default:
			continue
		}
		n, err := strconv.ParseUint(o.Value, 10, 62)
		if err != nil {
			return nil, fmt.Errorf("%s: invalid %s", o.Value, what)
		}
		*target = int(n)
	}
	switch {
	case len(a.Operands) > 1:
		return nil, command.Refuse("uniq %s %s: the second file would be written; use only one file",
			a.Operands[0], a.Operands[1])
	case u.all && u.onlyUnique:
		return nil, command.Refuse("uniq -D -u: not available together; leave one out")
	case u.all && u.count:
		text := "printing all duplicated lines and repeat counts is meaningless"
		return nil, command.UsageError(text)
	}
	return func(ctx context.Context, c *command.Call) int {
		name := "-"
		if len(a.Operands) > 0 {
			name = a.Operands[0]
		}
		in, err := c.Open(ctx, name)
		if err == nil {
			err = u.run(c, in)
			in.Close()
		}
		if err == io.EOF {
			return 0
		}
		c.Account.Check()
		c.Fatalf(1, "%s: %s", command.Quote(name, false), command.Message(err))
		return 1
	}, nil
}

func (u *uniq) run(c *command.Call, in *command.Input) error {
	lines := command.Lines{Account: c.Account, End: u.end}
	var held []byte // the first of equal lines
	n := 0
	for {
		text, _, err := lines.Next(in)
		if err != nil {
			u.print(c.Out, held, n)
			return err
		}
		isSame := n > 0 && u.same(held, text)
		if !isSame {
			u.print(c.Out, held, n)
			held = keep(c.Account, held, text)
			n = 1
			continue
		}
		n++
		if u.all {
			if n == 2 {
				u.line(c.Out, held)
			}
			u.line(c.Out, text)
		}
	}
}

func (u *uniq) same(a, b []byte) bool {
	a, b = u.key(a), u.key(b)
	if !u.fold {
		return bytes.Equal(a, b)
	}
	return bytes.Equal(upper(a), upper(b))
}

// upper returns b with its ASCII letters in upper case.
func upper(b []byte) []byte {
	b = bytes.Clone(b)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return b
}

func (u *uniq) key(line []byte) []byte {
	line = line[skipFields(line, u.fields, -1):]
	line = line[min(u.chars, len(line)):]
	return line[:min(u.width, len(line))]
}

// print prints a line that was there n times.
func (u *uniq) print(out *command.Output, line []byte, n int) {
	isLeftOut := u.all || u.onlyRepeated && n == 1 || u.onlyUnique && n > 1
	if n == 0 || isLeftOut {
		return
	}
	if u.count {
		fmt.Fprintf(out, "%7d ", n)
	}
	u.line(out, line)
}

func (u *uniq) line(out *command.Output, line []byte) {
	out.Write(line)
	out.WriteByte(u.end)
}
