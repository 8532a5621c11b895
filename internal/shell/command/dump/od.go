package dump

import (
	"context"
	"encoding/binary"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gander/internal/shell/command"
)

// An odType is the way in which od shows a block.
type odType struct {
	letter byte // c, d, o, u or x
	size   int  // of a value in bytes
	ascii  bool // the bytes are shown, too
}

// width returns the number of columns of a value.
func (y odType) width() int {
	switch y.letter {
	case 'c':
		return 3
	case 'x':
		return 2 * y.size
	case 'o':
		return map[int]int{1: 3, 2: 6, 4: 11, 8: 22}[y.size]
	case 'u':
		return map[int]int{1: 3, 2: 5, 4: 10, 8: 20}[y.size]
	}
	return map[int]int{1: 4, 2: 6, 4: 11, 8: 20}[y.size]
}

// odShort are the options that stand for types.
var odShort = map[string]string{"-b": "o1", "-c": "c", "-d": "u2", "-o": "o2", "-x": "x2"}

// odForm matches a type: its letter, its size and whether the bytes are shown.
var odForm = regexp.MustCompile(`^([doux]|c)([1248]?)(z?)$`)

func prepareOd(a command.Arguments) (command.Run, error) {
	d, err := newDump(a, "-j", "-N")
	if err != nil {
		return nil, err
	}
	layout, forms := "%07o", []string{}
	for _, o := range a.Options {
		switch form, isShort := odShort[o.Name]; {
		case isShort:
			forms = append(forms, form)
		case o.Name == "-t":
			forms = append(forms, o.Value)
		case o.Name == "-A":
			layouts := map[string]string{"d": "%07d", "o": "%07o", "x": "%06x", "n": ""}
			known := false
			if layout, known = layouts[o.Value]; !known {
				return nil, command.Refuse("od -A %s: not available here; use d, o, x or n", o.Value)
			}
		}
	}
	y := odType{letter: 'o', size: 2}
	if len(forms) > 0 {
		parts := odForm.FindStringSubmatch(forms[0])
		if parts == nil || len(forms) > 1 || parts[1]+parts[2] == "c1" {
			return nil, command.Refuse("od -t %s: not available here; use one of c, x1, d4 and the like",
				strings.Join(forms, " -t "))
		}
		y = odType{letter: parts[1][0], size: 4, ascii: parts[3] != ""}
		if n, err := strconv.Atoi(parts[2]); err == nil {
			y.size = n
		}
		if y.letter == 'c' {
			y.size = 1
		}
	}
	d.show = func(out *command.Output, offset int64, block []byte) {
		if layout != "" {
			fmt.Fprintf(out, layout, offset)
		}
		y.show(out, block)
	}
	return func(ctx context.Context, c *command.Call) int {
		d, status := d.run(ctx, c, a.Operands)
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
		fmt.Fprintf(out, " %*s", y.width(), y.value(block[shown*y.size:]))
	}
	if y.ascii {
		fmt.Fprintf(out, "%*s  >", (size/y.size-shown)*(y.width()+1), "")
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
	case 'x':
		return fmt.Sprintf("%0*x", y.width(), n)
	case 'o':
		return fmt.Sprintf("%0*o", y.width(), n)
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
