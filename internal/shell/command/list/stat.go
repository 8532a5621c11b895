package list

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/shell/command"
	"gander/internal/shell/command/format"
)

// defaultFormat is what stat shows without a format.
const defaultFormat = "  File: %Q\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\n" +
	"Device: %Hd,%Ld\tInode: %-11i Links: %h\n" +
	"Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\n" +
	"Access: %x\nModify: %y\nChange: %z\n Birth: %w\n"

func (o owners) prepareStat(a command.Arguments) (command.Run, error) {
	if len(a.Operands) == 0 {
		return nil, a.MissingOperand()
	}
	if slices.Contains(a.Operands, null) {
		return nil, command.Refuse("stat %s: devices are not available here; leave it out", null)
	}
	layout, end := defaultFormat, ""
	for _, o := range a.Options {
		switch o.Name {
		case "-c":
			layout, end = o.Value, "\n"
		case "--printf":
			layout, end = o.Value, ""
			if strings.Contains(layout, `\`) {
				layout = unescape(layout)
			}
		}
	}
	if _, err := o.format(layout, statFile{}); err != nil {
		return nil, err
	}
	return func(ctx context.Context, c *command.Call) (status int) {
		for _, name := range a.Operands {
			d, err := describe(ctx, c, name, a.Has("-L"))
			if err != nil {
				c.Failed("cannot statx %s: %s", name, err)
				status = 1
				continue
			}
			f := statFile{Details: d, name: name}
			if d.Kind == workspace.Symlink {
				f.target = readlink(ctx, c, name)
			}
			text, _ := o.format(layout, f)
			c.Out.WriteString(text + end)
		}
		return status
	}, nil
}

// unescape replaces the escapes of stat --printf.
func unescape(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\"`, `"`, `\0`, "\x00").Replace(s)
}

type statFile struct {
	workspace.Details
	name, target string
}

// directive is a directive of a format: flags, a width, a precision, half of a device number, a
// letter.
var directive = regexp.MustCompile(`%([-+ 0#]*)(\d*)(?:\.(\d+))?([HL]?)([^HL])`)

// format fills in a format. The error is a Refusal.
func (o owners) format(layout string, f statFile) (text string, err error) {
	text = directive.ReplaceAllStringFunc(layout, func(s string) string {
		parts := directive.FindStringSubmatch(s)
		v := format.Verb{Minus: strings.Contains(parts[1], "-"), Zero: strings.Contains(parts[1], "0")}
		v.Width, _ = strconv.Atoi(parts[2])
		value, ok := o.property(parts[5][0], parts[4], f)
		if !ok {
			err = command.Refuse("stat -c %s: this is not available here; leave it out", s)
		}
		if precision, atoiErr := strconv.Atoi(parts[3]); atoiErr == nil && precision < len(value) {
			value = value[:precision]
		}
		return pad(v, value)
	})
	return text, err
}

// pad applies a width and flags to a property.
func pad(v format.Verb, text string) string {
	const maxWidth = 1 << 12
	v.Width = min(v.Width, maxWidth)
	missing := v.Width - len(text)
	if v.Zero && !v.Minus && missing > 0 && isNumber(text) {
		return strings.Repeat("0", missing) + text
	}
	return v.Text(text, len(text))
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

func (o owners) property(letter byte, half string, f statFile) (text string, ok bool) {
	if half != "" {
		device, isDevice := map[byte]workspace.Device{'d': f.Device, 'r': f.Special}[letter]
		number := device.Major
		if half == "L" {
			number = device.Minor
		}
		return strconv.FormatUint(uint64(number), 10), isDevice
	}
	if n, base, ok := f.number(letter); ok {
		return strconv.FormatUint(n, base), true
	}
	if t, ok := f.time(letter | 0x20); ok && (letter|0x20 >= 'w') {
		if letter <= 'Z' {
			return strconv.FormatInt(t.Unix(), 10), true
		}
		return format.Time("%F %T.%N %z", t.Local()), true
	}
	switch letter {
	case '%':
		return "%", true
	case 'A':
		return modeText(f.Mode), true
	case 'F':
		return kindText(f.Details), true
	case 'n':
		return f.name, true
	case 'N':
		text := command.Quote(f.name, true)
		if f.target != "" {
			text += " -> " + command.Quote(f.target, true)
		}
		return text, true
	case 'Q': // only in the default format
		if f.target != "" {
			return f.name + " -> " + f.target, true
		}
		return f.name, true
	case 'U':
		return ownerText(o.users, f.UID), true
	case 'G':
		return ownerText(o.groups, f.GID), true
	}
	return "", false
}

func ownerText(names map[uint32]string, id uint32) string {
	if name, ok := names[id]; ok {
		return name
	}
	return "UNKNOWN"
}

func (f statFile) number(letter byte) (n uint64, base int, ok bool) {
	type property struct {
		n    uint64
		base int
	}
	numbers := map[byte]property{
		'a': {uint64(f.Mode & 0o7777), 8},
		'b': {uint64(f.Blocks), 10},
		'B': {512, 10},
		'd': {number(f.Device), 10},
		'D': {number(f.Device), 16},
		'f': {uint64(f.Mode), 16},
		'g': {uint64(f.GID), 10},
		'h': {f.Links, 10},
		'i': {f.Inode, 10},
		'o': {uint64(f.BlockSize), 10},
		'r': {number(f.Special), 10},
		'R': {number(f.Special), 16},
		's': {uint64(f.Size), 10},
		't': {uint64(f.Special.Major), 16},
		'T': {uint64(f.Special.Minor), 16},
		'u': {uint64(f.UID), 10},
	}
	found, ok := numbers[letter]
	return found.n, found.base, ok
}

// number returns a device number as the C library composes it.
func number(d workspace.Device) uint64 {
	major, minor := uint64(d.Major), uint64(d.Minor)
	return major&^0xfff<<32 | minor&^0xff<<12 | major&0xfff<<8 | minor&0xff
}

func (f statFile) time(letter byte) (time.Time, bool) {
	times := map[byte]time.Time{'w': f.Created, 'x': f.Accessed, 'y': f.ModTime, 'z': f.Changed}
	t, ok := times[letter]
	return t, ok
}

// kindText returns the type of a file in words.
func kindText(d workspace.Details) string {
	kinds := map[uint32]string{
		fifo: "fifo", charDevice: "character special file", directory: "directory",
		blocks: "block special file", regular: "regular file", symlink: "symbolic link", socket: "socket",
	}
	if d.Mode&typeMask == regular && d.Size == 0 {
		return "regular empty file"
	}
	text, ok := kinds[d.Mode&typeMask]
	if !ok {
		return fmt.Sprintf("unknown (%o)", d.Mode)
	}
	return text
}
