package text

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gander/internal/shell/command"
)

// A paster is a paste with its options.
type paster struct {
	delimiters []string
	c          *command.Call
	lines      command.Lines
}

func preparePaste(a command.Arguments) (_ command.Run, err error) {
	p := paster{delimiters: []string{"\t"}}
	if list, ok := a.Value("-d"); ok {
		p.delimiters, err = parseDelimiters(list)
	}
	return func(ctx context.Context, c *command.Call) int {
		p.c, p.lines = c, command.Lines{Account: c.Account, End: '\n'}
		if a.Has("-s") {
			return c.Each(ctx, a.Operands, command.Failures{}, p.serial)
		}
		names := a.OperandsOr("-")
		var inputs []*command.Input
		for _, name := range names {
			in := c.MustOpen(ctx, name, command.Failures{}, 1)
			defer in.Close()
			c.Account.Grab(64 << 10)
			inputs = append(inputs, in)
		}
		return p.parallel(inputs, names)
	}, err
}

func parseDelimiters(list string) (delimiters []string, err error) {
	if list == "" {
		return []string{""}, nil
	}
	for list != "" {
		if list == `\` {
			return nil, errors.New(`delimiter list ends with an unescaped backslash: \`)
		}
		delimiter := list[:1]
		if delimiter == `\` {
			list = list[1:]
			delimiter = list[:1]
			if i := strings.IndexByte("0bfnrtv", list[0]); i >= 0 {
				delimiter = []string{"", "\b", "\f", "\n", "\r", "\t", "\v"}[i]
			}
		}
		list = list[1:]
		delimiters = append(delimiters, delimiter)
	}
	return delimiters, nil
}

func (p *paster) delimiter(i int) string { return p.delimiters[i%len(p.delimiters)] }

// serial prints the lines of one file as one line.
func (p *paster) serial(in *command.Input, _ string) error {
	for i := 0; ; i++ {
		text, _, err := p.lines.Next(in)
		if err != nil {
			p.c.Out.WriteByte('\n')
			return err
		}
		if i > 0 {
			p.c.Out.WriteString(p.delimiter(i - 1))
		}
		p.c.Out.Write(text)
	}
}

// parallel prints lines of all files side by side, until all have ended.
func (p *paster) parallel(inputs []*command.Input, names []string) (status int) {
	ended := make([]bool, len(inputs))
	for {
		pending := "" // delimiters before the next text
		hasText := false
		for i, in := range inputs {
			if i > 0 {
				pending += p.delimiter(i - 1)
			}
			if ended[i] {
				continue
			}
			text, _, err := p.lines.Next(in)
			ended[i] = err != nil
			if err == nil || err != io.EOF && hasText {
				p.c.Out.WriteString(pending)
				p.c.Out.Write(text)
				pending, hasText = "", true
			}
			if err != nil && err != io.EOF {
				p.c.Failed("", names[i], err)
				status = 1
			}
		}
		if !hasText {
			return status
		}
		p.c.Out.WriteString(pending + "\n")
	}
}

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
	a := command.Arguments{Name: name, Options: options, Operands: append(operands, numbers...)}
	texts := a.Operands
	switch {
	case err != nil:
	case len(texts) == 0:
		err = a.MissingOperand()
	case len(texts) == 1:
		texts = []string{"1", "1", texts[0]}
	case len(texts) == 2:
		texts = []string{texts[0], "1", texts[1]}
	case len(texts) > 3:
		err = a.ExtraOperand(3)
	}
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
