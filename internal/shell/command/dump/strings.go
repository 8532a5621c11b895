package dump

import (
	"context"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"gander/internal/files/workspace"
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
	return func(ctx context.Context, c *command.Call) (status int) {
		for _, name := range a.OperandsOr("-") {
			in, err := c.Open(ctx, name)
			if err == nil {
				err = findStrings(c, in, least)
				in.Close()
			}
			if !errors.Is(err, io.EOF) {
				c.Account.Check()
				reportStrings(c, name, err)
				status = 1
			}
		}
		return status
	}, nil
}

func reportStrings(c *command.Call, name string, err error) {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.Errorf("'%s': No such file", name)
	case errors.Is(err, workspace.ErrIsDirectory):
		c.Errorf("Warning: '%s' is a directory", name)
	default:
		c.Errorf("%s: %s", name, command.Message(err))
	}
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

// sums returns the command that prints sums of files.
func sums(name string, newHash func() hash.Hash) command.Command {
	return command.New(name, "[FILE]...", 1, "", func(a command.Arguments) (command.Run, error) {
		return func(ctx context.Context, c *command.Call) int {
			return c.Each(ctx, a.Operands, command.Failures{}, func(in *command.Input, name string) error {
				h := newHash()
				if _, err := in.WriteTo(h); err != nil {
					return err
				}
				escape := ""
				if strings.ContainsAny(name, "\\\n\r") {
					escape = `\`
					name = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`).Replace(name)
				}
				fmt.Fprintf(c.Out, "%s%x  %s\n", escape, h.Sum(nil), name)
				return nil
			})
		}, nil
	})
}
