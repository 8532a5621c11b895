package text

import (
	"bytes"
	"context"
	"unicode/utf8"

	"gander/internal/shell/command"
)

func prepareRev(a command.Arguments) (command.Run, error) {
	failures := command.Failures{Open: "cannot open %s: %s", Read: "%s: 0: %s", Early: true}
	return func(ctx context.Context, c *command.Call) int {
		return c.EachLine(ctx, a.Operands, failures, '\n', func(text []byte, ended bool) error {
			switch {
			case bytes.IndexByte(text, 0) >= 0:
				err := command.Refuse("rev: a line has a NUL character; leave such lines out")
				panic(command.Abort{Err: err})
			case !utf8.Valid(text):
				return command.GNUError("Invalid or incomplete multibyte or wide character")
			}
			for len(text) > 0 {
				_, n := utf8.DecodeLastRune(text)
				c.Out.Write(text[len(text)-n:])
				text = text[:len(text)-n]
			}
			if ended {
				c.Out.WriteByte('\n')
			}
			return nil
		})
	}, nil
}
