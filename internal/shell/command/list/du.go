package list

import (
	"context"
	"strconv"

	"gander/internal/files/workspace"
	"gander/internal/shell/command"
)

const duOptions = "-a --all, -s --summarize, -c --total, -h --human-readable, -k, -m, " +
	"-b --bytes, -d= --max-depth=, --apparent-size"

// A usage is a du with its options.
type usage struct {
	all, total, human, apparent bool

	unit  int64 // in bytes; sizes are rounded up to it
	depth int   // the greatest that is shown

	seen    map[fileID]bool // what was counted and could be met again
	several bool            // operands, which may contain each other
	status  int
}

// A fileID identifies a file, whatever its names.
type fileID struct {
	device workspace.Device
	inode  uint64
}

func prepareDu(a command.Arguments) (command.Run, error) {
	units := map[string]int64{"": 1024, "-k": 1024, "-m": 1 << 20, "-b": 1, "-h": 1}
	unit := a.Last("-b", "-k", "-m", "-h")
	u := usage{
		all: a.Has("-a"), total: a.Has("-c"), apparent: a.Has("-b", "--apparent-size"),
		human: unit == "-h", unit: units[unit], depth: maxDepth, seen: map[fileID]bool{},
	}
	if text, ok := a.Value("-d"); ok {
		depth, err := strconv.Atoi(text)
		if err != nil || depth < 0 {
			return nil, command.UsageError("invalid maximum depth ‘" + text + "’")
		}
		u.depth = depth
	}
	switch {
	case !a.Has("-s"):
	case u.all:
		return nil, command.UsageError("cannot both summarize and show all entries")
	case a.Has("-d") && u.depth > 0:
		return nil, command.Refuse("du -s -d: not available together; leave one out")
	default:
		u.depth = 0
	}
	u.several = len(a.Operands) > 1
	return func(ctx context.Context, c *command.Call) int {
		u.run(ctx, c, a.OperandsOr("."))
		return u.status
	}, nil
}

func (u *usage) run(ctx context.Context, c *command.Call, operands []string) {
	total := int64(0)
	for _, name := range operands {
		d, err := describe(ctx, c, name, false)
		if err != nil {
			c.Failed("cannot access %q: %s", name, err)
			u.status = 1
			continue
		}
		if u.isNew(c, d) {
			total += u.tree(ctx, c, name, d, 0)
		}
	}
	if u.total {
		u.print(c, total, "total")
	}
}

// isNew reports whether a file has not been counted yet, by whichever name, and notes that it now
// is.
func (u *usage) isNew(c *command.Call, d workspace.Details) bool {
	isOnce := d.Kind == workspace.Directory || d.Links < 2
	if isOnce && !u.several {
		return true
	}
	id := fileID{d.Device, d.Inode}
	if u.seen[id] {
		return false
	}
	c.Account.Grab(64)
	u.seen[id] = true
	return true
}

// tree returns the size of the tree at p, and shows what the options ask for of it.
func (u *usage) tree(
	ctx context.Context, c *command.Call, p string, d workspace.Details, level int,
) int64 {
	size := d.Blocks * 512
	if u.apparent {
		size = d.Size
	}
	if d.Kind == workspace.Directory {
		if level > maxDepth {
			c.Fatalf(1, "%s: directories are nested too deep", p)
		}
		failed := func(name string, err error) {
			c.Failed("cannot access %q: %s", join(p, name), err)
			u.status = 1
		}
		entries, err := children(ctx, c, p, true, nil, failed)
		if err != nil {
			c.Failed("cannot read directory %q: %s", p, err)
			u.status = 1
		}
		for _, entry := range entries {
			if u.isNew(c, entry.details) {
				size += u.tree(ctx, c, join(p, entry.name), entry.details, level+1)
			}
			c.Account.Drop(len(entry.name) + childSize)
		}
	}
	isShown := level == 0 || d.Kind == workspace.Directory || u.all
	if level <= u.depth && isShown {
		u.print(c, size, p)
	}
	return size
}

func (u *usage) print(c *command.Call, size int64, p string) {
	text := humanSize(size)
	if !u.human {
		text = strconv.FormatInt((size+u.unit-1)/u.unit, 10)
	}
	c.Out.WriteString(text + "\t" + p + "\n")
}
