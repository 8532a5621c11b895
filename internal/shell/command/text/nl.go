package text

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"gander/internal/shell/command"
)

// A numbering prints lines as nl does.
type numbering struct {
	styles      map[string]string // by section: -b, -h or -f
	section     string
	width       int
	separator   string
	start, step int64
	format      string
	renumber    bool

	next int64
}

// maxNlWidth bounds the width of a number, which the real nl does not.
const maxNlWidth = 1 << 16

func prepareNl(a command.Arguments) (command.Run, error) {
	n := numbering{
		styles:  map[string]string{"-b": "t", "-h": "n", "-f": "n"},
		section: "-b", width: 6, separator: "\t", start: 1, step: 1, format: "rn", renumber: true,
	}
	for _, o := range a.Options {
		if err := n.set(o); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context, c *command.Call) int {
		n := n
		n.next = n.start
		return c.Each(ctx, a.Operands, command.Failures{}, func(in *command.Input, _ string) error {
			lines := command.Lines{Account: c.Account, End: '\n'}
			for {
				text, _, err := lines.Next(in)
				if err != nil {
					return err
				}
				n.line(c.Out, text)
			}
		})
	}, nil
}

func (n *numbering) set(o command.Option) (err error) {
	switch o.Name {
	case "-b", "-h", "-f":
		return n.setStyle(o)
	case "-w":
		var width int64
		width, err = parseNumber(o.Value, "line number field width")
		if err == nil && width < 1 {
			err = fmt.Errorf("invalid line number field width: ‘%s’: Numerical result out of range", o.Value)
		}
		if width > maxNlWidth {
			err = command.Refuse("nl -w %s: numbers have at most %d columns here", o.Value, maxNlWidth)
		}
		n.width = int(width)
	case "-s":
		n.separator = o.Value
	case "-v":
		n.start, err = parseNumber(o.Value, "starting line number")
	case "-i":
		n.step, err = parseNumber(o.Value, "line number increment")
	case "-n":
		n.format = o.Value
		if n.format != "ln" && n.format != "rn" && n.format != "rz" {
			err = command.UsageError("invalid line numbering format: ‘" + o.Value + "’")
		}
	case "-p":
		n.renumber = false
	}
	return err
}

func (n *numbering) setStyle(o command.Option) error {
	switch {
	case o.Value == "a", o.Value == "t", o.Value == "n":
		n.styles[o.Name] = o.Value
		return nil
	case strings.HasPrefix(o.Value, "p"):
		return command.Refuse("nl %s p: numbering by a pattern is not available here; "+
			"use grep -n or awk", o.Name)
	}
	what := map[string]string{"-b": "body", "-h": "header", "-f": "footer"}[o.Name]
	return command.UsageError(fmt.Sprintf("invalid %s numbering style: ‘%s’", what, o.Value))
}

func parseNumber(s, what string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("invalid %s: ‘%s’", what, s)
	}
	return n, nil
}

func (n *numbering) line(out *command.Output, text []byte) {
	delimiters := map[string]string{`\:\:\:`: "-h", `\:\:`: "-b", `\:`: "-f"}
	if section, ok := delimiters[string(text)]; ok {
		n.section = section
		if n.renumber {
			n.next = n.start
		}
		out.WriteByte('\n')
		return
	}
	style := n.styles[n.section]
	if style == "n" || style == "t" && len(text) == 0 {
		out.WriteString(strings.Repeat(" ", n.width+len(n.separator)))
		out.Line(text)
		return
	}
	format := map[string]string{"ln": "%-*d", "rn": "%*d", "rz": "%0*d"}[n.format]
	fmt.Fprintf(out, format, n.width, n.next)
	out.WriteString(n.separator)
	out.Line(text)
	n.next += n.step
}
