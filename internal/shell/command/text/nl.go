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
	style     string // which lines of a body are numbered: a, t or n
	outside   bool   // in a header or footer, whose lines are not numbered
	width     int
	separator string
	start     int64

	next int64
}

// maxNlWidth bounds the width of a number, which the real nl does not.
const maxNlWidth = 1 << 16

func prepareNl(a command.Arguments) (command.Run, error) {
	n := numbering{style: "t", width: 6, separator: "\t", start: 1}
	for _, o := range a.Options {
		if err := n.set(o); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context, c *command.Call) int {
		n := n
		n.next = n.start
		return c.EachLine(ctx, a.Operands, command.Failures{}, '\n', func(text []byte, _ bool) error {
			n.line(c.Out, text)
			return nil
		})
	}, nil
}

func (n *numbering) set(o command.Option) (err error) {
	switch o.Name {
	case "-b":
		n.style = o.Value
		if o.Value != "a" && o.Value != "t" && o.Value != "n" {
			err = command.Refuse("nl -b %s: not available here; use a, t or n, or grep -n", o.Value)
		}
	case "-w":
		n.width, err = strconv.Atoi(o.Value)
		if err != nil || n.width < 1 || n.width > maxNlWidth {
			err = command.Refuse("nl -w %s: the width is from 1 to %d here", o.Value, maxNlWidth)
		}
	case "-s":
		n.separator = o.Value
	case "-v":
		n.start, err = strconv.ParseInt(o.Value, 10, 32)
		if err != nil {
			err = command.Refuse("nl -v %s: this number is not available here", o.Value)
		}
	}
	return err
}

func (n *numbering) line(out *command.Output, text []byte) {
	switch string(text) {
	case `\:\:\:`, `\:\:`, `\:`: // begins the header, body or footer of a page
		n.outside = string(text) != `\:\:`
		n.next = n.start
		out.WriteByte('\n')
		return
	}
	if n.outside || n.style == "n" || n.style == "t" && len(text) == 0 {
		out.WriteString(strings.Repeat(" ", n.width+len(n.separator)))
		out.Line(text)
		return
	}
	fmt.Fprintf(out, "%*d%s", n.width, n.next, n.separator)
	out.Line(text)
	n.next++
}
