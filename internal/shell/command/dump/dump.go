// Package dump has the commands that show bytes: od, xxd, hexdump, strings and the sums.
package dump

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math"
	"strconv"
	"strings"

	"gander/internal/files/workspace"
	"gander/internal/shell/command"
)

// Commands returns the commands of the package.
func Commands() []command.Command {
	const files = "[FILE]..."
	return []command.Command{
		command.New("od", files, 1, "-A= --address-radix=, -t= --format=, -c, -b, -x, -o, -d, "+
			"-N= --read-bytes=, -j= --skip-bytes=, -v --output-duplicates", prepareOd),
		command.New("xxd", "[FILE]", 1, "-l=, -s=, -c=, -g=, -p, -r", prepareXxd),
		command.New("hexdump hd", files, 1, "-C --canonical, -n= --length=, -s= --skip=, -v "+
			"--no-squeezing", prepareHexdump),
		command.New("strings", files, 1, "-a --all, -n= --bytes=, -NUM", prepareStrings),
		sums("md5sum", md5.New), sums("sha1sum", sha1.New), sums("sha256sum", sha256.New),
		sums("sha512sum", sha512.New),
	}
}

// number returns the number of an option, or otherwise.
func number(a command.Arguments, name string, otherwise int64) (int64, error) {
	text, ok := a.Value(name)
	if !ok {
		return otherwise, nil
	}
	n, err := strconv.ParseUint(text, 0, 52)
	isOdd := len(text) > 1 && text[0] == '0' && text[1] != 'x' || strings.Contains(text, "_")
	if err != nil || isOdd {
		return 0, command.Refuse("%s %s %s: only a number is available here, without a unit",
			a.Name, name, text)
	}
	return int64(n), nil
}

// A dump splits the bytes of all files into blocks.
type dump struct {
	size    int
	skip    int64 // bytes at the beginning that are left out
	left    int64 // bytes that are shown, or -1 for all
	squeeze bool  // equal blocks are shown as "*"
	show    func(out *command.Output, offset int64, block []byte)

	offset  int64 // of the held bytes
	held    []byte
	last    []byte // the last full block
	starred bool
	opened  bool // at least one file
}

// newDump returns a dump with the values of two options.
func newDump(a command.Arguments, skip, length string) (d *dump, err error) {
	d = &dump{size: 16, squeeze: !a.Has("-v")}
	if d.skip, err = number(a, skip, 0); err == nil {
		d.left, err = number(a, length, -1)
	}
	return d, err
}

// readBlock is the size of the blocks in which xxd and hexdump read.
const readBlock = 4 << 10

// run shows the files, and returns the status.
func (d *dump) run(ctx context.Context, c *command.Call, names []string) (status int) {
	d.offset = d.skip
	isHexdump := c.Name == "hexdump" || c.Name == "hd"
	failures := command.Failures{Early: isHexdump}
	status = c.Each(ctx, names, failures, func(in *command.Input, name string) error {
		d.opened = true
		if isHexdump && in.File == nil && d.skip > 0 {
			command.Stop("%s -s: a pipe cannot be skipped; use tail -c +N before it", c.Name)
		}
		if in.File != nil && in.At()+d.skip <= in.File.Size() {
			in.Continue(in.At() + d.skip)
			d.skip = 0
		}
		if c.Name == "xxd" || isHexdump && in.File == nil { // in a file, hexdump seeks back
			in.Block = readBlock
		}
		for d.left != 0 {
			c.Account.Tick()
			most := int64(math.MaxInt)
			if d.left >= 0 {
				most = d.skip + d.left
			}
			b, err := in.TakeMost(most)
			if errors.Is(err, workspace.ErrIsDirectory) && isHexdump {
				c.EarlyErrorf("%s: Is a directory", name) // which does not count as a failure
				return nil
			}
			if err != nil {
				return err
			}
			skipped := min(d.skip, int64(len(b)))
			d.skip -= skipped
			b = b[skipped:]
			if d.left >= 0 {
				d.left -= int64(len(b))
			}
			d.add(c.Out, b)
		}
		return nil
	})
	if len(d.held) > 0 {
		d.show(c.Out, d.offset, d.held)
	}
	if d.opened && d.skip > 0 {
		command.Stop("%s: the input is shorter than what is skipped", c.Name)
	}
	d.offset += int64(len(d.held))
	return status
}

func (d *dump) add(out *command.Output, b []byte) {
	for len(b) > 0 {
		n := min(d.size-len(d.held), len(b))
		d.held = append(d.held, b[:n]...)
		b = b[n:]
		if len(d.held) == d.size {
			d.full(out)
		}
	}
}

// full shows the held bytes, which are a whole block.
func (d *dump) full(out *command.Output) {
	isEqual := d.squeeze && string(d.held) == string(d.last)
	switch {
	case !isEqual:
		d.show(out, d.offset, d.held)
		d.last = append(d.last[:0], d.held...)
		d.starred = false
	case !d.starred:
		out.WriteString("*\n")
		d.starred = true
	}
	d.offset += int64(len(d.held))
	d.held = d.held[:0]
}

// printable returns b, or another byte instead of what cannot be printed.
func printable(b, otherwise byte) byte {
	if b >= ' ' && b <= '~' {
		return b
	}
	return otherwise
}

// writeText writes a block with points for what cannot be printed.
func writeText(out *command.Output, block []byte) {
	for _, b := range block {
		out.WriteByte(printable(b, '.'))
	}
}

func prepareStrings(a command.Arguments) (command.Run, error) {
	least := 4
	for _, o := range a.Options {
		if o.Name != "-n" && o.Name != "-NUM" {
			continue
		}
		n, err := strconv.Atoi(o.Value)
		if err != nil || n < 1 || n > 1<<16 {
			return nil, command.Refuse("strings -n %s: from 1 to 65536 here", o.Value)
		}
		least = n
	}
	return func(ctx context.Context, c *command.Call) (status int) {
		for _, name := range a.OperandsOr("-") {
			in, err := c.Open(ctx, name)
			if err == nil {
				err = findStrings(c, in, least)
				in.Close()
			}
			if !errors.Is(err, io.EOF) {
				reportStrings(c, name, err)
				status = 1
			}
		}
		return status
	}, nil
}

func reportStrings(c *command.Call, name string, err error) {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.Errorf("'%s': No such file", name)
	case errors.Is(err, workspace.ErrIsDirectory):
		c.Errorf("Warning: '%s' is a directory", name)
	default:
		c.Errorf("%s: %s", name, command.Message(err))
	}
}

// findStrings prints the runs of printable characters that are long enough.
func findStrings(c *command.Call, in *command.Input, least int) error {
	var run []byte // the beginning of a run, until it is long enough
	isOpen := false
	for {
		c.Account.Tick()
		b, err := in.ReadByte()
		isText := err == nil && (b == '\t' || printable(b, 0) != 0)
		switch {
		case isText && isOpen:
			c.Out.WriteByte(b)
		case isText:
			run = append(run, b)
			if isOpen = len(run) == least; isOpen {
				c.Out.Write(run)
			}
		default:
			if isOpen {
				c.Out.WriteByte('\n')
			}
			run, isOpen = run[:0], false
		}
		if err != nil {
			return err
		}
	}
}

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
