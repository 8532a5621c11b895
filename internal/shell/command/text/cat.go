package text

import (
	"bytes"
	"context"
	"fmt"

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
	all := a.Has("-A")
	k := catter{
		number:   a.Has("-n"),
		nonblank: a.Has("-b"),
		squeeze:  a.Has("-s"),
		ends:     all || a.Has("-E") || a.Has("-e"),
		tabs:     all || a.Has("-T") || a.Has("-t"),
	}
	k.control = all || a.Has("-v") || a.Has("-e") || a.Has("-t")
	isPlain := k == catter{}
	return func(ctx context.Context, c *command.Call) int {
		k := k
		if !isPlain {
			return c.EachLine(ctx, a.Operands, command.Failures{}, '\n', func(text []byte, ended bool) error {
				k.line(c.Out, text, ended)
				return nil
			})
		}
		return c.Each(ctx, a.Operands, command.Failures{}, func(in *command.Input, _ string) error {
			_, err := in.WriteTo(c.Out)
			return err
		})
	}, nil
}

func (k *catter) line(out *command.Output, text []byte, ended bool) {
	isBlank := len(text) == 0 && !k.open
	if !isBlank {
		k.blank = 0
	} else {
		k.blank++
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
	isCRLF := ended && bytes.HasSuffix(text, []byte("\r"))
	if k.ends && isCRLF && !k.control {
		k.write(out, text[:len(text)-1])
		out.WriteString("^M")
	} else {
		k.write(out, text)
	}
	if !ended {
		return
	}
	if k.ends {
		out.WriteByte('$')
	}
	out.WriteByte('\n')
}

func (k *catter) write(out *command.Output, text []byte) {
	if !k.tabs && !k.control {
		out.Write(text)
		return
	}
	for _, b := range text {
		switch {
		case b == '\t' && k.tabs:
			out.WriteString("^I")
		case b == '\t', !k.control:
			out.WriteByte(b)
		default:
			writeVisible(out, b)
		}
	}
}

// writeVisible writes a byte as cat -v does: ^A for 1, M-^A for 129.
func writeVisible(out *command.Output, b byte) {
	if b >= 128 {
		out.WriteString("M-")
		b -= 128
	}
	switch {
	case b < ' ':
		out.Write([]byte{'^', b + '@'})
	case b == 127:
		out.WriteString("^?")
	default:
		out.WriteByte(b)
	}
}
