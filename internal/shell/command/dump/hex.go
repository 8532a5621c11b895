package dump

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
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
		status := d.run(ctx, c, a.Operands)
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
	most := int64(16)
	if isPlain {
		most = 30
	}
	d, errD := newDump(a, "-s", "-l")
	columns, errC := number(a, "-c", most)
	group, errG := number(a, "-g", 2)
	err := cmp.Or(errD, errC, errG)
	switch {
	case err != nil:
		return nil, err
	case len(a.Operands) > 1:
		return nil, command.Refuse("xxd %s: the second file would be written; use only one file",
			a.Operands[1])
	case a.Has("-r") && (!isPlain || len(a.Options) > 2):
		return nil, command.Refuse("xxd -r: only xxd -r -p is available here")
	case a.Has("-r"):
		return func(ctx context.Context, c *command.Call) int { return revert(ctx, c, a.Operands) }, nil
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
	return func(ctx context.Context, c *command.Call) int { return 2 * d.run(ctx, c, a.Operands) }, nil
}

// revert writes the bytes whose digits it reads.
func revert(ctx context.Context, c *command.Call, names []string) int {
	return 2 * c.EachLine(ctx, names, func(text []byte, _ bool) {
		digits := bytes.Join(bytes.Fields(text), nil)
		b, err := hex.AppendDecode(nil, digits)
		if err != nil {
			command.Stop("xxd -r -p: a line has more than pairs of digits")
		}
		c.Out.Write(b)
	})
}

// An odType is the way in which od shows a block.
type odType struct {
	letter byte // c, d, o, u or x
	size   int  // of a value in bytes
	width  int  // of a value in columns
	ascii  bool // the bytes are shown, too
}

// odWidths are the columns of values, by letter and size.
var odWidths = map[byte]map[int]int{
	'c': {1: 3}, 'd': {1: 4, 2: 6, 4: 11, 8: 20}, 'o': {1: 3, 2: 6, 4: 11, 8: 22},
	'u': {1: 3, 2: 5, 4: 10, 8: 20}, 'x': {1: 2, 2: 4, 4: 8, 8: 16},
}

// odLayouts are the forms of offsets.
var odLayouts = map[string]string{"d": "%07d", "o": "%07o", "x": "%06x", "n": ""}

// odShort are the options that stand for types.
var odShort = map[string]string{"-b": "o1", "-c": "c", "-d": "u2", "-o": "o2", "-x": "x2"}

// odForm matches a type: its letter, its size and whether the bytes are shown.
var odForm = regexp.MustCompile(`^([doux]|c)([1248]?)(z?)$`)

// oldOffset matches operands whose last one is an offset if no newer option is given.
var oldOffset = regexp.MustCompile(`^\+[^ ]*$|^[^ ]* [+0-9][^ ]*$`)

func prepareOd(a command.Arguments) (command.Run, error) {
	d, err := newDump(a, "-j", "-N")
	if err != nil {
		return nil, err
	}
	if operands := strings.Join(a.Operands, " "); oldOffset.MatchString(operands) {
		return nil, command.Refuse(
			"od %s: the last operand may be an offset; write -j for one, or ./ before a file", operands)
	}
	layout, forms := "%07o", []string{}
	for _, o := range a.Options {
		switch form, isShort := odShort[o.Name]; {
		case isShort:
			forms = append(forms, form)
		case o.Name == "-t":
			forms = append(forms, o.Value)
		case o.Name == "-A":
			known := false
			if layout, known = odLayouts[o.Value]; !known {
				return nil, command.Refuse("od -A %s: not available here; use d, o, x or n", o.Value)
			}
		}
	}
	if len(forms) == 0 {
		forms = []string{"o2"}
	}
	parts := odForm.FindStringSubmatch(forms[0])
	if parts == nil || len(forms) > 1 || parts[1]+parts[2] == "c1" {
		return nil, command.Refuse("od -t %s: not available here; use one of c, x1, d4 and the like",
			strings.Join(forms, " -t "))
	}
	y := odType{letter: parts[1][0], size: 4, ascii: parts[3] != ""}
	if y.letter == 'c' {
		y.size = 1
	} else if parts[2] != "" {
		y.size = int(parts[2][0] - '0')
	}
	y.width = odWidths[y.letter][y.size]
	d.show = func(out *command.Output, offset int64, block []byte) {
		if layout != "" {
			fmt.Fprintf(out, layout, offset)
		}
		y.show(out, block)
	}
	return func(ctx context.Context, c *command.Call) int {
		status := d.run(ctx, c, a.Operands)
		if d.opened && layout != "" {
			fmt.Fprintf(c.Out, layout+"\n", d.offset)
		}
		return status
	}, nil
}

func (y odType) show(out *command.Output, block []byte) {
	const size = 16 // of a whole block
	shown := 0
	for ; shown*y.size < len(block); shown++ {
		fmt.Fprintf(out, " %*s", y.width, y.value(block[shown*y.size:]))
	}
	if y.ascii {
		fmt.Fprintf(out, "%*s  >", (size/y.size-shown)*(y.width+1), "")
		writeText(out, block)
		out.WriteByte('<')
	}
	out.WriteByte('\n')
}

// value returns the value at the beginning of b, which may be short.
func (y odType) value(b []byte) string {
	if y.letter == 'c' {
		return odCharacter(b[0])
	}
	var whole [8]byte
	copy(whole[:y.size], b)
	n := binary.LittleEndian.Uint64(whole[:])
	switch y.letter {
	case 'x', 'o':
		return fmt.Sprintf("%0*"+string(rune(y.letter)), y.width, n)
	case 'u':
		return strconv.FormatUint(n, 10)
	}
	shift := 64 - 8*y.size
	return strconv.FormatInt(int64(n<<shift)>>shift, 10)
}

func odCharacter(b byte) string {
	if i := strings.IndexByte("\x00\a\b\t\n\v\f\r", b); i >= 0 {
		return `\` + "0abtnvfr"[i:i+1]
	}
	if printable(b, 0) == 0 {
		return fmt.Sprintf("%03o", b)
	}
	return string(rune(b))
}
