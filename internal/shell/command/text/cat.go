package text

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"

	"gander/internal/shell/command"
)

// A catter prints lines as cat does with options.
type catter struct {
	number, nonblank, squeeze, ends, tabs, control bool

	lines int64
	blank int  // empty lines in a row
	open  bool // the last line had no end
}

func prepareCat(a command.Arguments) (command.Run, error) {
	k := catter{
		number: a.Has("-n"), nonblank: a.Has("-b"), squeeze: a.Has("-s"), ends: a.Has("-A", "-E", "-e"),
		tabs: a.Has("-A", "-T", "-t"), control: a.Has("-A", "-v", "-e", "-t"),
	}
	if k != (catter{}) {
		return func(ctx context.Context, c *command.Call) int {
			return c.EachLine(ctx, a.Operands, func(text []byte, ended bool) { k.line(c.Out, text, ended) })
		}, nil
	}
	return func(ctx context.Context, c *command.Call) int {
		return c.Each(ctx, a.Operands, command.Failures{}, func(in *command.Input, _ string) error {
			_, err := in.WriteTo(c.Out)
			return err
		})
	}, nil
}

func (k *catter) line(out *command.Output, text []byte, ended bool) {
	isBlank := len(text) == 0 && !k.open
	k.blank++
	if !isBlank {
		k.blank = 0
	}
	if k.squeeze && k.blank > 1 {
		return
	}
	isNumbered := k.number && !k.nonblank || k.nonblank && !isBlank
	if isNumbered && !k.open {
		k.lines++
		fmt.Fprintf(out, "%6d\t", k.lines)
	}
	k.open = !ended
	end := "\n"
	if k.ends {
		end = "$\n"
	}
	if line, isCRLF := bytes.CutSuffix(text, []byte("\r")); isCRLF && ended && k.ends && !k.control {
		text, end = line, "^M$\n"
	}
	k.write(out, text)
	if ended {
		out.WriteString(end)
	}
}

func (k *catter) write(out *command.Output, text []byte) {
	if !k.tabs && !k.control {
		out.Write(text)
		return
	}
	for _, b := range text {
		isTab := b == '\t'
		isShown := b >= ' ' && b < 127 || isTab && !k.tabs || !isTab && !k.control
		if isShown {
			out.WriteByte(b)
		} else {
			out.WriteString(visible(b))
		}
	}
}

// visible returns a byte as cat -v shows it: ^A for 1, M-^A for 129.
func visible(b byte) string {
	switch {
	case b >= 128:
		return "M-" + visible(b-128)
	case b < ' ', b == 127:
		return "^" + string(rune(b^'@'))
	}
	return string(rune(b))
}

// A numbering prints lines as nl does.
type numbering struct {
	style     string // which lines of a body are numbered: a, t or n
	outside   bool   // in a header or footer, whose lines are not numbered
	width     int64
	separator string
	start     int64

	next int64
}

// maxNlWidth bounds the width of a number, which the real nl does not.
const maxNlWidth = 1 << 16

func prepareNl(a command.Arguments) (_ command.Run, err error) {
	n := numbering{style: "t", separator: "\t"}
	for _, o := range a.Options {
		switch o.Name {
		case "-b":
			n.style = o.Value
			if o.Value != "a" && o.Value != "t" && o.Value != "n" {
				return nil, command.Refuse("nl -b %s: not available here; use a, t or n, or grep -n", o.Value)
			}
		case "-s":
			n.separator = o.Value
		}
	}
	if n.width, err = a.Number("-w", 6, 1, maxNlWidth); err != nil {
		return nil, err
	}
	n.start, err = a.Number("-v", 1, math.MinInt32, math.MaxInt32)
	n.next = n.start
	return func(ctx context.Context, c *command.Call) int {
		return c.EachLine(ctx, a.Operands, func(text []byte, _ bool) { n.line(c.Out, text) })
	}, err
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
		out.WriteString(strings.Repeat(" ", int(n.width)+len(n.separator)))
	} else {
		fmt.Fprintf(out, "%*d%s", n.width, n.next, n.separator)
		n.next++
	}
	out.Line(text)
}
