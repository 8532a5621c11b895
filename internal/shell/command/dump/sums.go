package dump

import (
	"context"
	"encoding/base64"
	"fmt"
	"hash"
	"io"
	"strconv"
	"strings"

	"gander/internal/shell/command"
)

// sums returns the command that prints sums of files.
func sums(name string, newHash func() hash.Hash) command.Command {
	return command.New(name, "[FILE]...", 1, "-b --binary, -t --text, -z --zero, --tag",
		func(a command.Arguments) (command.Run, error) {
			if a.Has("--tag") {
				return nil, command.Refuse("%s --tag: not available here; leave it out", name)
			}
			mark := " "
			for _, o := range a.Options {
				switch o.Name {
				case "-b":
					mark = "*"
				case "-t":
					mark = " "
				}
			}
			return func(ctx context.Context, c *command.Call) int {
				return c.Each(ctx, a.Operands, command.Failures{}, func(in *command.Input, name string) error {
					h := newHash()
					if _, err := in.WriteTo(h); err != nil {
						return err
					}
					escape, end := "", "\n"
					if a.Has("-z") {
						end = "\x00"
					} else if strings.ContainsAny(name, "\\\n\r") {
						escape = `\`
						name = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`).Replace(name)
					}
					fmt.Fprintf(c.Out, "%s%x %s%s%s", escape, h.Sum(nil), mark, name, end)
					return nil
				})
			}, nil
		})
}

func prepareBase64(a command.Arguments) (command.Run, error) {
	wrap := 76
	if text, ok := a.Value("-w"); ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("invalid wrap size: ‘%s’", text)
		}
		wrap = n
	}
	if len(a.Operands) > 1 {
		return nil, a.ExtraOperand(1)
	}
	return func(ctx context.Context, c *command.Call) int {
		failures := command.Failures{Read: "read error: %[2]s"}
		return c.Each(ctx, a.Operands, failures, func(in *command.Input, _ string) error {
			if a.Has("-d") {
				return decode(c, in, a.Has("-i"))
			}
			w := &wrapper{out: c.Out, width: wrap}
			encoder := base64.NewEncoder(base64.StdEncoding, w)
			_, err := in.WriteTo(encoder)
			_ = encoder.Close()
			if w.column > 0 && wrap > 0 {
				c.Out.WriteByte('\n')
			}
			return err
		})
	}, nil
}

// A wrapper breaks lines.
type wrapper struct {
	out           *command.Output
	width, column int
}

func (w *wrapper) Write(b []byte) (int, error) {
	written := len(b)
	for len(b) > 0 {
		n := len(b)
		if w.width > 0 {
			n = min(n, w.width-w.column)
		}
		w.out.Write(b[:n])
		b = b[n:]
		w.column += n
		if w.column == w.width {
			w.out.WriteByte('\n')
			w.column = 0
		}
	}
	return written, nil
}

// decode writes what is encoded. Line feeds are skipped.
func decode(c *command.Call, in *command.Input, skipGarbage bool) error {
	var group []byte
	for {
		c.Account.Tick()
		b, err := in.ReadByte()
		isDigit := b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b == '+' || b == '/' ||
			b == '='
		switch {
		case err != nil && len(group) == 0:
			return err
		case err == nil && (b == '\n' || skipGarbage && !isDigit):
			continue
		case err == nil:
			group = append(group, b)
		}
		if err == nil && len(group) < 4 {
			continue
		}
		var decoded [3]byte
		n, decodeErr := base64.StdEncoding.Decode(decoded[:], group)
		if decodeErr != nil {
			n, _ = base64.RawStdEncoding.Decode(decoded[:], group)
		}
		c.Out.Write(decoded[:n])
		if decodeErr != nil {
			c.Fatalf(1, "invalid input")
		}
		if err == io.EOF {
			return err
		}
		group = group[:0]
	}
}
