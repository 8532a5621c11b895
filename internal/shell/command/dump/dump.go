// Package dump has the commands that show or compare bytes: od, xxd, hexdump, strings, cmp, base64,
// and the sums.
package dump

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"strconv"
	"strings"

	"gander/internal/shell/command"
)

// Commands returns the commands of the package.
func Commands() []command.Command {
	const files = "[FILE]..."
	return []command.Command{
		command.New("od", files, 1, "-A= --address-radix=, -t= --format=, -c, -b, -x, -o, -d, -a, -i, "+
			"-s, -N= --read-bytes=, -j= --skip-bytes=, -v --output-duplicates, -w? --width?, "+
			"--endian=", prepareOd),
		withWords(command.New("xxd", "[FILE]", 1, "-l=, -s=, -c=, -g=, -p, -r, -u, -b", prepareXxd)),
		command.New("hexdump hd", files, 1, "-C --canonical, -n= --length=, -s= --skip=, -v "+
			"--no-squeezing", prepareHexdump),
		command.New("strings", files, 1, "-a --all, -n= --bytes=, -t= --radix=, -f --print-file-name, "+
			"-NUM", prepareStrings),
		command.New("cmp", "FILE1 [FILE2 [SKIP1 [SKIP2]]]", 2, "-s --quiet --silent, -l --verbose, "+
			"-n= --bytes=, -i= --ignore-initial=", prepareCmp),
		command.New("base64", "[FILE]", 1, "-w= --wrap=, -d --decode, -i --ignore-garbage",
			prepareBase64),
		sums("md5sum", md5.New), sums("sha1sum", sha1.New), sums("sha224sum", sha256.New224),
		sums("sha256sum", sha256.New), sums("sha384sum", sha512.New384), sums("sha512sum", sha512.New),
	}
}

// parseNumber parses a number as C does, with 0x and 0, and with a suffix such as k.
func parseNumber(s string) (int64, error) {
	digits, unit := s, int64(1)
	units := map[string]int64{"b": 512, "k": 1 << 10, "K": 1 << 10, "m": 1 << 20, "M": 1 << 20}
	for suffix, size := range units {
		isHex := strings.HasPrefix(s, "0x") && suffix == "b"
		if rest, ok := strings.CutSuffix(s, suffix); ok && !isHex {
			digits, unit = rest, size
		}
	}
	n, err := strconv.ParseInt(digits, 0, 52)
	if err != nil || strings.Contains(s, "_") {
		return 0, fmt.Errorf("invalid number ‘%s’", s)
	}
	return n * unit, nil
}

// A dump splits the bytes of all files into blocks.
type dump struct {
	size    int
	skip    int64 // bytes at the beginning that are left out
	left    int64 // bytes that are shown, or -1 for all
	squeeze bool  // equal blocks are shown as "*"
	show    func(c *command.Call, offset int64, block []byte)

	offset  int64 // of the held bytes
	held    []byte
	last    []byte // the last full block
	starred bool
	opened  bool // a file
}

// run shows the files and returns the status.
func (d *dump) run(ctx context.Context, c *command.Call, names []string, f command.Failures) int {
	d.offset = d.skip
	return c.Each(ctx, names, f, func(in *command.Input, _ string) error {
		d.opened = true
		for d.left != 0 {
			c.Account.Tick()
			b, err := in.Take()
			if err != nil {
				return err
			}
			skipped := min(d.skip, int64(len(b)))
			d.skip -= skipped
			b = b[skipped:]
			if d.left >= 0 {
				b = b[:min(d.left, int64(len(b)))]
				d.left -= int64(len(b))
			}
			d.add(c, b)
		}
		return nil
	})
}

func (d *dump) add(c *command.Call, b []byte) {
	for len(b) > 0 {
		n := min(d.size-len(d.held), len(b))
		d.held = append(d.held, b[:n]...)
		b = b[n:]
		if len(d.held) == d.size {
			d.full(c)
		}
	}
}

func (d *dump) full(c *command.Call) {
	isEqual := d.squeeze && string(d.held) == string(d.last)
	switch {
	case !isEqual:
		d.show(c, d.offset, d.held)
		d.last = append(d.last[:0], d.held...)
		d.starred = false
	case !d.starred:
		c.Out.WriteString("*\n")
		d.starred = true
	}
	d.offset += int64(len(d.held))
	d.held = d.held[:0]
}

// finish shows the last block, which may be short, and returns the offset of the end.
func (d *dump) finish(c *command.Call) int64 {
	if len(d.held) > 0 {
		d.show(c, d.offset, d.held)
	}
	return d.offset + int64(len(d.held))
}

// set reads the option for a number.
func set(a command.Arguments, name string, target *int64) error {
	text, ok := a.Value(name)
	if !ok {
		return nil
	}
	n, err := parseNumber(text)
	if err == nil && n < 0 {
		err = command.Refuse("%s %s %s: not available here; use a number from 0 on", a.Name, name, text)
	}
	*target = n
	return err
}

// printable returns b, or another byte instead of what cannot be printed.
func printable(b, otherwise byte) byte {
	if b >= ' ' && b <= '~' {
		return b
	}
	return otherwise
}
