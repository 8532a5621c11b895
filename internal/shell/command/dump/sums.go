package dump

import (
	"context"
	"fmt"
	"hash"
	"strings"

	"gander/internal/shell/command"
)

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
