package order

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strconv"

	"gander/internal/shell/command"
)

// A uniq prints one of equal lines that follow each other.
type uniq struct {
	count, onlyRepeated, onlyUnique, fold bool

	fields, chars, width int
}

func prepareUniq(a command.Arguments) (command.Run, error) {
	u := uniq{
		count: a.Has("-c"), onlyRepeated: a.Has("-d"), onlyUnique: a.Has("-u"), fold: a.Has("-i"),
		width: math.MaxInt,
	}
	for name, target := range map[string]*int{"-f": &u.fields, "-s": &u.chars, "-w": &u.width} {
		text, ok := a.Value(name)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(text, 10, 62)
		if err != nil {
			return nil, command.Refuse("uniq %s %s: this number is not available here", name, text)
		}
		*target = int(n)
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
		isSame := n > 0 && u.same(held, text)
		if !isSame {
			u.print(c.Out, held, n)
			held = keep(c.Account, held, text)
			n = 1
			continue
		}
		n++
	}
}

func (u *uniq) same(a, b []byte) bool {
	a, b = u.key(a), u.key(b)
	if !u.fold || len(a) != len(b) {
		return bytes.Equal(a, b)
	}
	for i := range a {
		if upper(a[i]) != upper(b[i]) {
			return false
		}
	}
	return true
}

func (u *uniq) key(line []byte) []byte {
	line = line[skipFields(line, u.fields, -1):]
	line = line[min(u.chars, len(line)):]
	return line[:min(u.width, len(line))]
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
