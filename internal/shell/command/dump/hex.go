package dump

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gander/internal/shell/command"
)

func prepareHexdump(a command.Arguments) (command.Run, error) {
	d := dump{size: 16, left: -1, squeeze: !a.Has("-v")}
	if err := errors.Join(set(a, "-n", &d.left), set(a, "-s", &d.skip)); err != nil {
		return nil, err
	}
	layout, show := "%07x\n", showWords
	if a.Has("-C") || a.Name == "hd" {
		layout, show = "%08x\n", showCanonical
	}
	return func(ctx context.Context, c *command.Call) int {
		d := d
		d.show = show
		status := d.run(ctx, c, a.Operands, command.Failures{})
		if !d.opened {
			c.Errorf("all input file arguments failed")
		}
		if end := d.finish(c); end > 0 {
			fmt.Fprintf(c.Out, layout, end)
		}
		return status
	}, nil
}

func showCanonical(c *command.Call, offset int64, block []byte) {
	fmt.Fprintf(c.Out, "%08x ", offset)
	for i := range 16 {
		if i == 8 {
			c.Out.WriteByte(' ')
		}
		if i < len(block) {
			fmt.Fprintf(c.Out, " %02x", block[i])
		} else {
			c.Out.WriteString("   ")
		}
	}
	c.Out.WriteString("  |")
	for _, b := range block {
		c.Out.WriteByte(printable(b, '.'))
	}
	c.Out.WriteString("|\n")
}

func showWords(c *command.Call, offset int64, block []byte) {
	fmt.Fprintf(c.Out, "%07x", offset)
	for i := 0; i < 16; i += 2 {
		switch len(block) - i {
		case 1:
			fmt.Fprintf(c.Out, " 00%02x", block[i])
		default:
			if i < len(block) {
				fmt.Fprintf(c.Out, " %02x%02x", block[i+1], block[i])
			} else {
				c.Out.WriteString("     ")
			}
		}
	}
	c.Out.WriteByte('\n')
}

// An xxd is an xxd with its options.
type xxd struct {
	columns, group int64
	digits         string // the format of a byte
	plain          bool
}

// withWords returns xxd with the options that are words behind one "-".
func withWords(xxd command.Command) command.Command {
	words := map[string]string{
		"-ps": "-p", "-plain": "-p", "-postscript": "-p", "-len": "-l", "-seek": "-s", "-cols": "-c",
		"-groupsize": "-g", "-revert": "-r", "-bits": "-b", "-upper": "-u",
	}
	prepare := xxd.Prepare
	xxd.Prepare = func(name string, args []string) (command.Run, error) {
		args = slices.Clone(args)
		for i, arg := range args {
			if short, ok := words[arg]; ok {
				args[i] = short
			}
		}
		return prepare(name, args)
	}
	return xxd
}

func prepareXxd(a command.Arguments) (command.Run, error) {
	d := dump{left: -1}
	x := xxd{columns: 16, group: 2, digits: "%02x", plain: a.Has("-p")}
	switch {
	case len(a.Operands) > 1:
		return nil, command.Refuse("xxd %s: the second file would be written; use only one file",
			a.Operands[1])
	case a.Has("-b"):
		x.columns, x.group, x.digits = 6, 1, "%08b"
	case x.plain:
		x.columns = 30
	}
	if a.Has("-u") {
		x.digits = strings.ToUpper(x.digits)
	}
	err := errors.Join(set(a, "-l", &d.left), set(a, "-s", &d.skip), set(a, "-c", &x.columns),
		set(a, "-g", &x.group))
	if err != nil {
		return nil, err
	}
	if x.columns < 1 || x.columns > 256 {
		return nil, command.Refuse("xxd -c %d: from 1 to 256 here", x.columns)
	}
	if x.group == 0 {
		x.group = x.columns
	}
	failures := command.Failures{Open: "%s: %s", Read: "%s: %s"}
	return func(ctx context.Context, c *command.Call) int {
		if a.Has("-r") {
			return c.Each(ctx, a.Operands, failures, func(in *command.Input, _ string) error {
				return revert(c, in, x.plain)
			})
		}
		d := d
		d.size = int(x.columns)
		d.show = x.show
		status := d.run(ctx, c, a.Operands, failures)
		d.finish(c)
		return 2 * status
	}, nil
}

func (x xxd) show(c *command.Call, offset int64, block []byte) {
	if x.plain {
		fmt.Fprintf(c.Out, x.digits+"\n", block)
		return
	}
	text := ""
	width := len(fmt.Sprintf(x.digits, 0))
	for i := range x.columns {
		if i > 0 && i%x.group == 0 {
			text += " "
		}
		if i < int64(len(block)) {
			text += fmt.Sprintf(x.digits, block[i])
		} else {
			text += strings.Repeat(" ", width)
		}
	}
	fmt.Fprintf(c.Out, "%08x: %s  ", offset, text)
	for _, b := range block {
		c.Out.WriteByte(printable(b, '.'))
	}
	c.Out.WriteByte('\n')
}

// revert writes the bytes of a dump.
func revert(c *command.Call, in *command.Input, plain bool) error {
	lines := command.Lines{Account: c.Account, End: '\n'}
	at := int64(0)
	for {
		line, _, err := lines.Next(in)
		if err != nil {
			return err
		}
		if !plain {
			address, rest, ok := bytes.Cut(line, []byte(":"))
			offset, parseErr := parseNumber("0x" + string(bytes.TrimSpace(address)))
			if !ok || parseErr != nil {
				panic(command.Abort{Err: command.Refuse("xxd -r: a line has no address; use -r -p")})
			}
			if offset < at || offset > at+(1<<20) {
				c.Fatalf(5, "Sorry, cannot seek backwards.")
			}
			_, _ = io.CopyN(c.Out, zeros{}, offset-at)
			at = offset
			line, _, _ = bytes.Cut(bytes.TrimLeft(rest, " "), []byte("  "))
		}
		at += writeHex(c.Out, line)
	}
}

// writeHex writes the bytes whose digits are in a line, and returns their number.
func writeHex(out *command.Output, line []byte) (n int64) {
	high := -1
	for _, b := range line {
		digit := strings.IndexByte("0123456789abcdef", b|0x20)
		switch {
		case digit < 0, b < '0':
			high = -1
		case high < 0:
			high = digit
		default:
			out.WriteByte(byte(high<<4 | digit))
			high = -1
			n++
		}
	}
	return n
}

// zeros is a reader of zeros.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}
