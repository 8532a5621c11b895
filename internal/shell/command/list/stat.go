package list

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/shell/command"
	"gander/internal/shell/command/format"
)

func (o owners) prepareStat(a command.Arguments) (command.Run, error) {
	if len(a.Operands) == 0 {
		return nil, a.MissingOperand()
	}
	if slices.Contains(a.Operands, null) {
		return nil, command.Refuse("stat %s: devices are not available here; leave it out", null)
	}
	layout, hasLayout := a.Value("-c")
	if _, err := o.fill(layout, statFile{}); err != nil {
		return nil, err
	}
	return func(ctx context.Context, c *command.Call) (status int) {
		for _, name := range a.Operands {
			d, err := describe(ctx, c, name, a.Has("-L"))
			if err != nil {
				c.Failed("cannot statx %q: %s", name, err)
				status = 1
				continue
			}
			f := statFile{Details: d, name: name}
			if d.Kind == workspace.Symlink {
				f.target = readlink(ctx, c, name)
			}
			text := o.whole(f)
			if hasLayout {
				text, _ = o.fill(layout, f)
			}
			c.Out.WriteString(text + "\n")
		}
		return status
	}, nil
}

type statFile struct {
	workspace.Details
	name, target string
}

// whole returns what stat shows without a format.
func (o owners) whole(f statFile) string {
	name := f.name
	if f.target != "" {
		name += " -> " + f.target
	}
	return fmt.Sprintf("  File: %s\n  Size: %-10d\tBlocks: %-10d IO Block: %-6d %s\n"+
		"Device: %d,%d\tInode: %-11d Links: %d\n"+
		"Access: (%04o/%s)  Uid: (%5d/%8s)   Gid: (%5d/%8s)\n"+
		"Access: %s\nModify: %s\nChange: %s\n Birth: %s",
		name, f.Size, f.Blocks, f.BlockSize, kindText(f.Details),
		f.Device.Major, f.Device.Minor, f.Inode, f.Links,
		f.Mode&0o7777, modeText(f.Mode), f.UID, ownerText(o.users, f.UID), f.GID,
		ownerText(o.groups, f.GID), stamp(f.Accessed), stamp(f.ModTime), stamp(f.Changed),
		stamp(f.Created))
}

func stamp(t time.Time) string { return format.Time("%F %T.%N %z", t.Local()) }

// directive matches a directive of a format, with what may stand between.
var directive = regexp.MustCompile(`(?s)%([^A-Za-z%]*)(.?)`)

// fill fills in a format. The error is a Refusal.
func (o owners) fill(layout string, f statFile) (text string, err error) {
	text = directive.ReplaceAllStringFunc(layout, func(s string) string {
		value, ok := o.property(s[len(s)-1], f)
		if len(s) != 2 || !ok {
			err = command.Refuse("stat -c %s: this is not available here; leave it out", s)
		}
		return value
	})
	return text, err
}

func (o owners) property(letter byte, f statFile) (text string, ok bool) {
	times := map[byte]time.Time{'w': f.Created, 'x': f.Accessed, 'y': f.ModTime, 'z': f.Changed}
	if t, ok := times[letter|0x20]; ok {
		if letter <= 'Z' {
			return strconv.FormatInt(t.Unix(), 10), true
		}
		return stamp(t), true
	}
	numbers := map[byte]uint64{
		'b': uint64(f.Blocks), 'B': 512, 'g': uint64(f.GID), 'h': f.Links, 'i': f.Inode,
		's': uint64(f.Size), 'u': uint64(f.UID),
	}
	if n, ok := numbers[letter]; ok {
		return strconv.FormatUint(n, 10), true
	}
	switch letter {
	case '%':
		return "%", true
	case 'a':
		return strconv.FormatUint(uint64(f.Mode&0o7777), 8), true
	case 'A':
		return modeText(f.Mode), true
	case 'F':
		return kindText(f.Details), true
	case 'n':
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
