package dump

import (
	"context"
	"errors"
	"fmt"
	"io"

	"gander/internal/shell/command"
)

func prepareCmp(a command.Arguments) (command.Run, error) {
	if len(a.Operands) != 2 {
		return nil, command.Refuse("cmp: name two files")
	}
	return func(ctx context.Context, c *command.Call) int {
		k := comparison{c: c, names: a.Operands, quiet: a.Has("-s")}
		for i, name := range a.Operands {
			in, err := c.Open(ctx, name)
			if err != nil && !k.quiet {
				c.Errorf("%s: %s", name, command.Message(err))
			}
			if err != nil {
				return 2
			}
			defer in.Close()
			k.inputs[i] = in
		}
		return k.run()
	}, nil
}

// A comparison compares two files byte by byte.
type comparison struct {
	c      *command.Call
	names  []string
	inputs [2]*command.Input
	quiet  bool
}

func (k *comparison) run() (status int) {
	line, last := 1, byte(0)
	for at := 1; ; at++ {
		k.c.Account.Tick()
		x, errX := k.inputs[0].ReadByte()
		y, errY := k.inputs[1].ReadByte()
		for i, err := range []error{errX, errY} {
			if err != nil && !errors.Is(err, io.EOF) {
				k.c.Fatalf(2, "%s: %s", k.names[i], command.Message(err))
			}
		}
		switch {
		case errX != nil && errY != nil:
			return 0
		case errX != nil:
			k.end(k.names[0], at-1, line, last)
			return 1
		case errY != nil:
			k.end(k.names[1], at-1, line, last)
			return 1
		case x != y && !k.quiet:
			fmt.Fprintf(k.c.Out, "%s %s differ: byte %d, line %d\n", k.names[0], k.names[1], at, line)
			return 1
		case x != y:
			return 1
		}
		last = x
		if x == '\n' {
			line++
		}
	}
}

// end reports that one file ends before the other.
func (k *comparison) end(name string, at, line int, last byte) {
	switch {
	case k.quiet:
	case at == 0:
		k.c.Errorf("EOF on %s which is empty", name)
	case last == '\n':
		k.c.Errorf("EOF on %s after byte %d, line %d", name, at, line-1)
	default:
		k.c.Errorf("EOF on %s after byte %d, in line %d", name, at, line)
	}
}
