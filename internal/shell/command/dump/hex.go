package dump

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"gander/internal/shell/command"
)

func prepareHexdump(a command.Arguments) (command.Run, error) {
	if !a.Has("-C") && a.Name != "hd" {
		return nil, command.Refuse("hexdump: only hexdump -C is available here; add -C, or use od")
	}
	d, err := newDump(a, "-s", "-n")
	d.show = func(out *command.Output, offset int64, block []byte) {
		text := hexText(block[:min(8, len(block))], 1) + "  " + hexText(block[min(8, len(block)):], 1)
		fmt.Fprintf(out, "%08x  %-48s  |", offset, text)
		writeText(out, block)
		out.WriteString("|\n")
	}
	return func(ctx context.Context, c *command.Call) int {
		d, status := d.run(ctx, c, a.Operands)
		if !d.opened {
			c.Errorf("all input file arguments failed")
		}
		if d.offset > 0 {
			fmt.Fprintf(c.Out, "%08x\n", d.offset)
		}
		return status
	}, err
}

// hexText returns the digits of bytes in groups.
func hexText(b []byte, group int64) string {
	var text strings.Builder
	for i, x := range b {
		if i > 0 && int64(i)%group == 0 {
			text.WriteByte(' ')
		}
		fmt.Fprintf(&text, "%02x", x)
	}
	return text.String()
}

func prepareXxd(a command.Arguments) (command.Run, error) {
	isPlain := a.Has("-p")
	columns := int64(16)
	if isPlain {
		columns = 30
	}
	d, err := newDump(a, "-s", "-l")
	if err == nil {
		columns, err = number(a, "-c", columns)
	}
	group := int64(2)
	if err == nil {
		group, err = number(a, "-g", group)
	}
	switch {
	case err != nil:
		return nil, err
	case len(a.Operands) > 1:
		return nil, command.Refuse("xxd %s: the second file would be written; use only one file",
			a.Operands[1])
	case a.Has("-r") && (!isPlain || len(a.Options) > 2):
		return nil, command.Refuse("xxd -r: only xxd -r -p is available here")
	case columns < 1 || columns > 256 || group < 1:
		return nil, command.Refuse("xxd -c, -g: from 1 to 256 here")
	}
	d.size, d.squeeze = int(columns), false
	width := int(2*columns + (columns-1)/group)
	d.show = func(out *command.Output, offset int64, block []byte) {
		if isPlain {
			fmt.Fprintf(out, "%x\n", block)
			return
		}
		fmt.Fprintf(out, "%08x: %-*s  ", offset, width, hexText(block, group))
		writeText(out, block)
		out.WriteByte('\n')
	}
	return func(ctx context.Context, c *command.Call) int {
		if a.Has("-r") {
			return revert(ctx, c, a.Operands)
		}
		_, status := d.run(ctx, c, a.Operands)
		return 2 * status
	}, nil
}

// revert writes the bytes whose digits it reads.
func revert(ctx context.Context, c *command.Call, names []string) int {
	return 2 * c.EachLine(ctx, names, command.Failures{}, '\n', func(text []byte, _ bool) error {
		digits := bytes.Join(bytes.Fields(text), nil)
		b, err := hex.AppendDecode(nil, digits)
		if err != nil {
			panic(command.Abort{Err: command.Refuse("xxd -r -p: a line has more than pairs of digits")})
		}
		c.Out.Write(b)
		return nil
	})
}
