package dump

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"gander/internal/shell/command"
)

func prepareCmp(a command.Arguments) (command.Run, error) {
	limit := int64(-1)
	if err := set(a, "-n", &limit); err != nil {
		return nil, err
	}
	switch {
	case a.Has("-l") && a.Has("-s"):
		return nil, command.UsageError("options -l and -s are incompatible")
	case a.Has("-i"), len(a.Operands) > 2:
		return nil, command.Refuse("cmp -i, SKIP: not available here; use tail -c +N")
	case len(a.Operands) == 0:
		return nil, command.UsageError("missing operand after 'cmp'")
	}
	names := append(a.Operands, "-")[:2]
	return func(ctx context.Context, c *command.Call) int {
		var inputs [2]*command.Input
		for i, name := range names {
			in, err := c.Open(ctx, name)
			if err != nil {
				if !a.Has("-s") {
					c.Errorf("%s: %s", name, command.Message(err))
				}
				return 2
			}
			defer in.Close()
			inputs[i] = in
		}
		k := comparison{c: c, names: names, all: a.Has("-l"), quiet: a.Has("-s")}
		k.width = offsetWidth(inputs, limit)
		return k.run(inputs, limit)
	}, nil
}

// A comparison compares two files byte by byte.
type comparison struct {
	c          *command.Call
	names      []string
	all, quiet bool
	width      int // of an offset
}

// offsetWidth returns the width of the largest offset in which the inputs can differ.
func offsetWidth(inputs [2]*command.Input, limit int64) int {
	largest := uint64(limit)
	for _, in := range inputs {
		if in.File != nil {
			largest = min(largest, uint64(in.File.Size()))
		}
	}
	return len(strconv.FormatUint(min(largest, math.MaxInt64), 10))
}

func (k *comparison) run(inputs [2]*command.Input, left int64) (status int) {
	line, last := int64(1), byte(0)
	for at := int64(1); left < 0 || at <= left; at++ {
		k.c.Account.Tick()
		x, errX := inputs[0].ReadByte()
		y, errY := inputs[1].ReadByte()
		for i, err := range []error{errX, errY} {
			if err != nil && !errors.Is(err, io.EOF) {
				k.c.Fatalf(2, "%s: %s", k.names[i], command.Message(err))
			}
		}
		switch {
		case errX != nil && errY != nil:
			return status
		case errX != nil || errY != nil:
			short := k.names[0]
			if errY != nil {
				short = k.names[1]
			}
			k.end(short, at-1, line, last)
			return 1
		case x == y:
		case k.quiet:
			return 1
		case k.all:
			fmt.Fprintf(k.c.Out, "%*d %3o %3o\n", k.width, at, x, y)
			status = 1
		default:
			fmt.Fprintf(k.c.Out, "%s %s differ: byte %d, line %d\n", k.names[0], k.names[1], at, line)
			return 1
		}
		last = x
		if x == '\n' {
			line++
		}
	}
	return status
}

// end reports that one file ends before the other.
func (k *comparison) end(name string, at, line int64, last byte) {
	switch {
	case k.quiet:
	case at == 0:
		k.c.Errorf("EOF on %s which is empty", name)
	case k.all:
		k.c.Errorf("EOF on %s after byte %d", name, at)
	case last == '\n':
		k.c.Errorf("EOF on %s after byte %d, line %d", name, at, line-1)
	default:
		k.c.Errorf("EOF on %s after byte %d, in line %d", name, at, line)
	}
}

func prepareStrings(a command.Arguments) (command.Run, error) {
	least := int64(4)
	for _, o := range a.Options {
		if o.Name != "-n" && o.Name != "-NUM" {
			continue
		}
		n, err := parseNumber(o.Value)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("invalid minimum string length %s", o.Value)
		}
		least = n
	}
	radix, _ := a.Value("-t")
	layouts := map[string]string{"": "", "d": "%7d ", "o": "%7o ", "x": "%7x "}
	layout, ok := layouts[radix]
	if !ok {
		return nil, command.UsageError("invalid radix " + radix)
	}
	if least > 1<<16 {
		return nil, command.Refuse("strings -n %d: at most 65536 here", least)
	}
	return func(ctx context.Context, c *command.Call) int {
		return c.Each(ctx, a.Operands, command.Failures{}, func(in *command.Input, name string) error {
			prefix := ""
			if a.Has("-f") {
				prefix = strings.TrimPrefix(name, "-") + ": "
			}
			return findStrings(c, in, int(least), prefix, layout)
		})
	}, nil
}

// findStrings prints the runs of printable characters that are long enough.
func findStrings(c *command.Call, in *command.Input, least int, prefix, layout string) error {
	var run bytes.Buffer // the beginning of a run, until it is long enough
	length, offset := 0, int64(0)
	for {
		c.Account.Tick()
		b, err := in.ReadByte()
		isText := err == nil && (b == '\t' || printable(b, 0) != 0)
		switch {
		case isText && length < least:
			run.WriteByte(b)
			length++
			if length < least {
				break
			}
			c.Out.WriteString(prefix)
			if layout != "" {
				fmt.Fprintf(c.Out, layout, offset-int64(least)+1)
			}
			c.Out.Write(run.Bytes())
		case isText:
			c.Out.WriteByte(b)
		default:
			if length >= least {
				c.Out.WriteByte('\n')
			}
			run.Reset()
			length = 0
		}
		if err != nil {
			return err
		}
		offset++
	}
}
