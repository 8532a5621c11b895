package text

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gander/internal/shell/command"
	"gander/internal/shell/command/format"
)

func prepareDate(a command.Arguments) (command.Run, error) {
	layout := "%a %b %e %H:%M:%S %Z %Y"
	for _, operand := range a.Operands {
		given, ok := strings.CutPrefix(operand, "+")
		if !ok {
			return nil, command.Refuse("date %s: the clock cannot be set here; leave it out", operand)
		}
		layout = given
	}
	if err := format.CheckTime(layout); err != nil {
		return nil, err
	}
	return func(_ context.Context, c *command.Call) int {
		now := time.Now()
		if a.Has("-u") {
			now = now.UTC()
		}
		fmt.Fprintln(c.Out, format.Time(layout, now))
		return 0
	}, nil
}
