// Package list has the commands that show directories and the properties of files: find, ls, stat,
// du, tree, file, and those that work on paths.
package list

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/user"
	"slices"
	"strconv"
	"strings"

	"gander/internal/files/workspace"
	"gander/internal/shell/command"
)

// Commands returns the commands of the package. It reads the names of users and groups, which a
// confined process cannot do.
func Commands() []command.Command {
	o := readOwners()
	const files = "[FILE]..."
	return []command.Command{
		{
			Names: []string{"find"}, Options: findOptions, Operands: "[PATH]... [EXPRESSION]",
			Prepare: prepareFind, Nested: nestedFind,
		},
		command.New("ls dir", files, 2, lsOptions, o.prepareLs),
		command.New("stat", "FILE...", 1, "-c= --format=, -L --dereference", o.prepareStat),
		command.New("du", files, 1, duOptions, prepareDu),
		command.New("tree", "[DIR]...", 1, treeOptions, prepareTree),
		command.New("file", "FILE...", 1, "-b --brief", prepareFile),
		command.New("basename", "NAME...", 1, "+-a --multiple, -s= --suffix=", prepareBasename),
		command.New("dirname", "NAME...", 1, "", prepareDirname),
		command.New("realpath", "FILE...", 1, "-e --canonicalize-existing, -q --quiet, --relative-to=",
			prepareRealpath),
		command.New("readlink", "FILE...", 1, "-f --canonicalize, -e --canonicalize-existing, "+
			"-n --no-newline", prepareReadlink),
	}
}

// owners are the names of users and groups by their numbers: those of the process, and root. The
// others are not known.
type owners struct{ users, groups map[uint32]string }

func readOwners() owners {
	o := owners{users: map[uint32]string{}, groups: map[uint32]string{}}
	userIDs, groupIDs := []string{"0"}, []string{"0"}
	if self, err := user.Current(); err == nil {
		userIDs = append(userIDs, self.Uid)
		others, _ := self.GroupIds()
		groupIDs = append(append(groupIDs, self.Gid), others...)
	}
	for _, id := range userIDs {
		if u, err := user.LookupId(id); err == nil {
			addOwner(o.users, id, u.Username)
		}
	}
	for _, id := range groupIDs {
		if g, err := user.LookupGroupId(id); err == nil {
			addOwner(o.groups, id, g.Name)
		}
	}
	return o
}

func addOwner(names map[uint32]string, id, name string) {
	if n, err := strconv.ParseUint(id, 10, 32); err == nil {
		names[uint32(n)] = name
	}
}

// The types of files in a mode, as in stat(2).
const (
	typeMask    = 0o170000
	fifo        = 0o10000
	charDevice  = 0o20000
	directory   = 0o40000
	blockDevice = 0o60000
	regular     = 0o100000
	symlink     = 0o120000
	socket      = 0o140000
)

// typeNames are what commands call the types: modes by a letter, stat by a text, ls -F by a mark.
var typeNames = map[uint32]struct {
	letter     byte
	text, mark string
}{
	fifo: {'p', "fifo", "|"}, charDevice: {'c', "character special file", ""},
	directory: {'d', "directory", "/"}, blockDevice: {'b', "block special file", ""},
	regular: {'-', "regular file", ""}, symlink: {'l', "symbolic link", "@"},
	socket: {'s', "socket", "="},
}

// modeText returns a mode as ls -l shows it.
func modeText(mode uint32) string {
	text := []byte("?rwxrwxrwx")
	text[0] = cmp.Or(typeNames[mode&typeMask].letter, '?')
	for i := range 9 {
		if mode&(1<<(8-i)) == 0 {
			text[1+i] = '-'
		}
	}
	for i, letter := range []byte("sst") { // set user ID, set group ID, sticky
		at := 3 + 3*i
		switch {
		case mode&(0o4000>>i) == 0:
		case text[at] == 'x':
			text[at] = letter
		default:
			text[at] = letter - 'a' + 'A'
		}
	}
	return string(text)
}

// humanSize returns a number of bytes as -h shows it: in a unit that is a power of 1024, rounded
// up.
func humanSize(n int64) string {
	if n < 1024 {
		return strconv.FormatInt(n, 10)
	}
	const units = "KMGTPE"
	unit := int64(1)
	for i := range units {
		unit <<= 10
		tenths := n/unit*10 + (n%unit*10+unit-1)/unit
		whole := (n-1)/unit + 1
		switch {
		case tenths < 100:
			return fmt.Sprintf("%d.%d%c", tenths/10, tenths%10, units[i])
		case whole < 1024, i == len(units)-1:
			return fmt.Sprintf("%d%c", whole, units[i])
		}
	}
	return ""
}

// join appends a name to the path of a directory.
func join(dir, name string) string {
	if strings.HasSuffix(dir, "/") {
		return dir + name
	}
	return dir + "/" + name
}

// null is the only device that exists here.
const null = "/dev/null"

// describe returns the details of what a path names. A symlink is followed if follow is set, or if
// the path ends in a slash.
func describe(ctx context.Context, c *command.Call, p string, follow bool) (
	workspace.Details, error,
) {
	if p == null {
		info := workspace.Info{Kind: workspace.Other}
		return workspace.Details{Info: info, Mode: charDevice | 0o666}, nil
	}
	location, err := c.Files.Find(ctx, p)
	if err != nil {
		return workspace.Details{}, err
	}
	return location.Describe(follow || strings.HasSuffix(p, "/"))
}

// readlink returns the target of a symlink, empty if it cannot be read.
func readlink(ctx context.Context, c *command.Call, p string) string {
	location, err := c.Files.Find(ctx, p)
	if err != nil {
		return ""
	}
	target, _ := location.Readlink()
	return target
}

// A child is an entry of a directory.
type child struct {
	name    string
	details workspace.Details // only the kind, unless all were asked for
}

// childSize is about the memory of a child besides its name.
const childSize = 320

// children returns the entries of the directory at p in the order of their names, those that keep
// accepts if it is not nil. If they are detailed, an entry that cannot be described is left out and
// its error passed to failed. The caller drops their memory: their names, and childSize for each.
func children(
	ctx context.Context, c *command.Call, p string, detailed bool, keep func(name string) bool,
	failed func(name string, err error),
) (list []child, err error) {
	d, err := c.Files.Directory(ctx, p)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	err = d.Names(ctx, func(name []byte, kind workspace.EntryKind) bool {
		c.Account.Tick()
		if keep != nil && !keep(string(name)) {
			return true
		}
		c.Account.Grab(len(name) + childSize)
		entry := child{name: string(name)}
		entry.details.Kind = kind
		list = append(list, entry)
		return true
	})
	slices.SortFunc(list, func(a, b child) int { return cmp.Compare(a.name, b.name) })
	if err != nil || !detailed {
		return list, err
	}
	described := list[:0]
	for _, entry := range list {
		c.Account.Tick()
		entry.details, err = d.Describe(entry.name)
		switch {
		case err == nil:
			described = append(described, entry)
		case !errors.Is(err, fs.ErrNotExist): // otherwise it was just removed
			failed(entry.name, err)
		}
	}
	return described, nil
}
