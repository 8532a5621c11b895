package text

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"gander/internal/shell/command"
)

// seqOptions are the options of seq. They end before a negative number.
const seqOptions command.Options = "-s= --separator=, -w --equal-width"

// whole matches the numbers that seq prints as they are given.
var whole = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,16})$`)

func prepareSeq(name string, args []string) (command.Run, error) {
	at := slices.IndexFunc(args, func(s string) bool {
		return len(s) > 1 && s[0] == '-' && s[1] >= '0' && s[1] <= '9'
	})
	var numbers []string
	if at >= 0 {
		args, numbers = args[:at], args[at:]
	}
	options, operands, err := seqOptions.Parse(name, args, true)
	if err != nil {
		return command.Failing(err, 1)
	}
	a := command.Arguments{Name: name, Options: options, Operands: append(operands, numbers...)}
	texts, err := seqNumbers(a)
	if err != nil {
		return command.Failing(err, 1)
	}
	var n [3]int64 // the first, the step and the last
	for i, text := range texts {
		if !whole.MatchString(text) {
			return nil, command.Refuse(
				"seq %s: only whole numbers of up to 17 digits are available here; use awk", text)
		}
		n[i], _ = strconv.ParseInt(text, 10, 64)
	}
	if n[1] == 0 {
		return command.Failing(command.UsageError("invalid Zero increment value: ‘0’"), 1)
	}
	width := 0
	if a.Has("-w") {
		width = max(len(texts[0]), len(texts[2]))
	}
	separator, ok := a.Value("-s")
	if !ok {
		separator = "\n"
	}
	return func(_ context.Context, c *command.Call) int {
		before := ""
		for i := n[0]; i <= n[2] && n[1] > 0 || i >= n[2] && n[1] < 0; i += n[1] {
			c.Account.Tick()
			fmt.Fprintf(c.Out, "%s%0*d", before, width, i)
			before = separator
		}
		if n[0] == n[2] || (n[0] < n[2]) == (n[1] > 0) {
			c.Out.WriteByte('\n')
		}
		return 0
	}, nil
}

// seqNumbers returns the first number, the step and the last number.
func seqNumbers(a command.Arguments) ([]string, error) {
	texts := a.Operands
	switch len(texts) {
	case 0:
		return nil, a.MissingOperand()
	case 1:
		return []string{"1", "1", texts[0]}, nil
	case 2:
		return []string{texts[0], "1", texts[1]}, nil
	case 3:
		return texts, nil
	}
	return nil, a.ExtraOperand(3)
}
