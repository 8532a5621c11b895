package dump

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gander/internal/shell/command"
)

// An odType is one way in which od shows a block.
type odType struct {
	letter byte // a, c, d, o, u or x
	size   int  // of a value in bytes
	ascii  bool // the bytes are shown, too
}

// width returns the number of columns of a value.
func (y odType) width() int {
	switch y.letter {
	case 'a', 'c':
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
var odShort = map[string]string{
	"-a": "a", "-b": "o1", "-c": "c", "-d": "u2", "-i": "d4", "-o": "o2", "-s": "d2", "-x": "x2",
}

func prepareOd(a command.Arguments) (command.Run, error) {
	d := dump{size: 16, left: -1, squeeze: !a.Has("-v")}
	base := 8
	var types []odType
	for _, o := range a.Options {
		text := odShort[o.Name]
		switch o.Name {
		case "-t":
			text = o.Value
		case "-A":
			base = map[string]int{"d": 10, "o": 8, "x": 16, "n": 1}[o.Value]
			if base == 0 {
				return nil, fmt.Errorf("invalid output address radix '%s'; it must be one character "+
					"from [doxn]", o.Value)
			}
		case "-w":
			n, err := strconv.Atoi(o.Value + map[bool]string{true: "32"}[o.Value == ""])
			if err != nil || n < 1 || n > 1024 {
				return nil, command.Refuse("od -w %s: the width is from 1 to 1024 here", o.Value)
			}
			d.size = n
		case "--endian":
			return nil, command.Refuse("od --endian: not available here; leave it out")
		}
		parsed, err := parseOdTypes(text)
		if err != nil {
			return nil, err
		}
		types = append(types, parsed...)
	}
	if err := errors.Join(set(a, "-N", &d.left), set(a, "-j", &d.skip)); err != nil {
		return nil, err
	}
	if len(types) == 0 {
		types = []odType{{'o', 2, false}}
	}
	for _, y := range types {
		if d.size%y.size != 0 {
			return nil, command.Refuse("od -w%d: not a multiple of the size of a value", d.size)
		}
	}
	return func(ctx context.Context, c *command.Call) int {
		d := d
		d.show = func(c *command.Call, offset int64, block []byte) {
			showOd(c.Out, address(base, offset), block, types, d.size)
		}
		status := d.run(ctx, c, a.Operands, command.Failures{})
		if end := d.finish(c); base > 1 && d.opened {
			c.Out.WriteString(address(base, end) + "\n")
		}
		return status
	}, nil
}

func parseOdTypes(s string) (types []odType, err error) {
	for s != "" {
		y := odType{letter: s[0], size: 4}
		s = s[1:]
		digits := s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
		s = s[len(digits):]
		switch {
		case y.letter == 'a' || y.letter == 'c':
			y.size = 1
		case strings.IndexByte("doux", y.letter) < 0:
			return nil, command.Refuse("od -t %c: not available here; use a, c, d, o, u or x", y.letter)
		case digits != "":
			y.size, _ = strconv.Atoi(digits)
		case s != "" && strings.IndexByte("CSIL", s[0]) >= 0:
			y.size = map[byte]int{'C': 1, 'S': 2, 'I': 4, 'L': 8}[s[0]]
			s = s[1:]
		}
		if y.width() == 0 || y.size > 8 {
			return nil, fmt.Errorf("invalid type string ‘%c%s’", y.letter, digits)
		}
		if strings.HasPrefix(s, "z") {
			y.ascii = true
			s = s[1:]
		}
		types = append(types, y)
	}
	return types, nil
}

// address returns an offset in the base, or nothing for the base 1.
func address(base int, offset int64) string {
	switch base {
	case 8:
		return fmt.Sprintf("%07o", offset)
	case 10:
		return fmt.Sprintf("%07d", offset)
	case 16:
		return fmt.Sprintf("%06x", offset)
	}
	return ""
}

// showOd shows a block in all types, whose values are aligned.
func showOd(out *command.Output, address string, block []byte, types []odType, size int) {
	widest := 0
	for _, y := range types {
		widest = max(widest, (y.width()+1)*size/y.size)
	}
	for i, y := range types {
		if i > 0 {
			address = strings.Repeat(" ", len(address))
		}
		out.WriteString(address)
		fields := size / y.size
		pad := widest - (y.width()+1)*fields
		used := 0
		for k := 0; k*y.size < len(block); k++ {
			next := pad * (fields - k - 1) / fields
			padding := pad - used - next
			used += padding
			fmt.Fprintf(out, "%*s", y.width()+1+padding, y.value(block[k*y.size:]))
		}
		if y.ascii {
			shown := (len(block) + y.size - 1) / y.size
			fmt.Fprintf(out, "%*s  >", (fields-shown)*(y.width()+1)+pad-used, "")
			for _, b := range block {
				out.WriteByte(printable(b, '.'))
			}
			out.WriteByte('<')
		}
		out.WriteByte('\n')
	}
}

// value returns the value at the beginning of b, which may be short.
func (y odType) value(b []byte) string {
	switch y.letter {
	case 'a':
		return odName(b[0] & 0x7f)
	case 'c':
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

// odName returns the name of an ASCII character.
func odName(b byte) string {
	names := strings.Fields("nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 " +
		"dc3 dc4 nak syn etb can em sub esc fs gs rs us sp")
	switch {
	case int(b) < len(names):
		return names[b]
	case b == 127:
		return "del"
	}
	return string(rune(b))
}
