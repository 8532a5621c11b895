package list

import (
	"cmp"
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
	if slices.Contains(a.Operands, "-") {
		return nil, command.Refuse("stat -: the standard input has no name here; name a file")
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
			var text string
			if hasLayout {
				text, _ = o.fill(layout, f)
			} else {
				text = o.whole(f)
			}
			c.Out.WriteString(text + "\n")
		}
		return status
	}, nil
}

// A statFile is what stat shows a file from.
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
		name, f.Size, f.Blocks, f.BlockSize, typeText(f.Details),
		f.Device.Major, f.Device.Minor, f.Inode, f.Links,
		f.Mode&0o7777, modeText(f.Mode), f.UID, ownerText(o.users, f.UID), f.GID,
		ownerText(o.groups, f.GID), stamp(f.Accessed), stamp(f.ModTime), stamp(f.Changed),
		stamp(f.Created))
}

func stamp(t time.Time) string { return format.Time("%F %T.%N %z", t.Local()) }

// statDirective matches a directive of a format, with the flags and the width that it may have,
// which are refused.
var statDirective = regexp.MustCompile(`(?s)%([^A-Za-z%]*)(.?)`)

// fill returns a format with its directives replaced. An unknown one is refused, whatever the file.
func (o owners) fill(layout string, f statFile) (text string, err error) {
	values := o.values(f)
	text = statDirective.ReplaceAllStringFunc(layout, func(s string) string {
		value, ok := values[s[1:]]
		if !ok {
			err = command.Refuse("stat -c %s: this is not available here; leave it out", s)
		}
		return value
	})
	return text, err
}

// values returns what the directives of a format stand for.
func (o owners) values(f statFile) map[string]string {
	seconds := func(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }
	return map[string]string{
		"%": "%", "a": fmt.Sprintf("%o", f.Mode&0o7777), "A": modeText(f.Mode),
		"b": fmt.Sprint(f.Blocks), "B": "512", "F": typeText(f.Details), "g": fmt.Sprint(f.GID),
		"G": ownerText(o.groups, f.GID), "h": fmt.Sprint(f.Links), "i": fmt.Sprint(f.Inode), "n": f.name,
		"s": fmt.Sprint(f.Size), "u": fmt.Sprint(f.UID), "U": ownerText(o.users, f.UID),
		"w": stamp(f.Created), "W": seconds(f.Created), "x": stamp(f.Accessed), "X": seconds(f.Accessed),
		"y": stamp(f.ModTime), "Y": seconds(f.ModTime), "z": stamp(f.Changed), "Z": seconds(f.Changed),
	}
}

func ownerText(names map[uint32]string, id uint32) string { return cmp.Or(names[id], "UNKNOWN") }

// typeText returns the type of a file in words.
func typeText(d workspace.Details) string {
	if d.Mode&typeMask == regular && d.Size == 0 {
		return "regular empty file"
	}
	return cmp.Or(typeNames[d.Mode&typeMask].text, fmt.Sprintf("unknown (%o)", d.Mode))
}
