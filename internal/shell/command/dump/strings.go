package dump

import (
	"context"
	"strconv"

	"gander/internal/shell/command"
)

func prepareStrings(a command.Arguments) (command.Run, error) {
	least := 4
	for _, o := range a.Options {
		if o.Name != "-n" && o.Name != "-NUM" {
			continue
		}
		n, err := strconv.Atoi(o.Value)
		if err != nil || n < 1 || n > 1<<16 {
			return nil, command.Refuse("strings -n %s: from 1 to 65536 here", o.Value)
		}
		least = n
	}
	return func(ctx context.Context, c *command.Call) int {
		return c.Each(ctx, a.Operands, command.Failures{}, func(in *command.Input, _ string) error {
			return findStrings(c, in, least)
		})
	}, nil
}

// findStrings prints the runs of printable characters that are long enough.
func findStrings(c *command.Call, in *command.Input, least int) error {
	var run []byte // the beginning of a run, until it is long enough
	isOpen := false
	for {
		c.Account.Tick()
		b, err := in.ReadByte()
		isText := err == nil && (b == '\t' || printable(b, 0) != 0)
		switch {
		case isText && isOpen:
			c.Out.WriteByte(b)
		case isText:
			run = append(run, b)
			if isOpen = len(run) == least; isOpen {
				c.Out.Write(run)
			}
		default:
			if isOpen {
				c.Out.WriteByte('\n')
			}
			run, isOpen = run[:0], false
		}
		if err != nil {
			return err
		}
	}
}
