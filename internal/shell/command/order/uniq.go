package order

import (
	"bytes"
	"context"
	"fmt"

	"gander/internal/shell/command"
)

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
	if u.fold {
		return compareFolded(a, b) == 0
	}
	return bytes.Equal(a, b)
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
