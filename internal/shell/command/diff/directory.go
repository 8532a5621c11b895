package diff

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"gander/internal/files/workspace"
	"gander/internal/shell/command"
)

func (d *differ) isDirectory(p string) bool {
	info, err := d.c.Files.Stat(d.ctx, p)
	return p != "-" && err == nil && info.Kind == workspace.Directory
}

// isSame reports whether two paths name one directory.
func (d *differ) isSame(a, b string) bool {
	var resolved [2]string
	for i, p := range []string{a, b} {
		location, err := d.c.Files.Find(d.ctx, p)
		if err == nil {
			location, err = location.Resolve()
		}
		if err != nil {
			return false
		}
		resolved[i] = location.Absolute()
	}
	return resolved[0] == resolved[1]
}

func join(dir, name string) string { return strings.TrimRight(dir, "/") + "/" + name }

// maxDepth bounds the recursion.
const maxDepth = 500

func (d *differ) directories(a, b string, depth int) (status int) {
	if depth > maxDepth {
		d.c.Fatalf(2, "%s: directories are nested too deep", a)
	}
	held := d.c.Account.Held()
	namesA, namesB := d.names(a), d.names(b)
	all := slices.Concat(namesA, namesB)
	slices.Sort(all)
	for _, name := range slices.Compact(all) {
		d.c.Account.Check()
		_, inA := slices.BinarySearch(namesA, name)
		_, inB := slices.BinarySearch(namesB, name)
		status = max(status, d.entry(a, b, name, inA, inB, depth))
	}
	d.c.Account.Drop(int(d.c.Account.Held() - held))
	return status
}

// names returns the sorted names of a directory.
func (d *differ) names(p string) (names []string) {
	dir, err := d.c.Files.Directory(d.ctx, p)
	if err != nil {
		d.c.Fatalf(2, "%s: %s", p, command.Message(err))
	}
	defer dir.Close()
	err = dir.Names(d.ctx, func(name []byte, _ workspace.EntryKind) bool {
		d.c.Account.Grab(2*len(name) + 96)
		names = append(names, string(name))
		return true
	})
	if err != nil {
		d.c.Fatalf(2, "%s: %s", p, command.Message(err))
	}
	slices.Sort(names)
	return names
}

func (d *differ) entry(a, b, name string, inA, inB bool, depth int) int {
	only := func(dir string) int {
		fmt.Fprintf(d.c.Out, "Only in %s: %s\n", dir, name)
		return 1
	}
	p, q := join(a, name), join(b, name)
	isDirA, isDirB := d.isDirectory(p), d.isDirectory(q)
	switch {
	case !inA:
		return only(b)
	case !inB:
		return only(a)
	case isDirA && isDirB && d.recursive:
		return d.directories(p, q, depth+1)
	case isDirA && isDirB:
		fmt.Fprintf(d.c.Out, "Common subdirectories: %s and %s\n", p, q)
		return 0
	case isDirA != isDirB:
		kinds := map[bool]string{true: "directory", false: "regular file"}
		fmt.Fprintf(d.c.Out, "File %s is a %s while file %s is a %s\n",
			p, kinds[isDirA], q, kinds[isDirB])
		return 1
	}
	if strings.ContainsFunc(p, unicode.IsControl) {
		command.Stop("diff %q: this name is not shown here", p)
	}
	title := "diff" + d.given + " " + command.Quote(p, false) + " " + command.Quote(q, false)
	return d.files(p, q, title+"\n")
}
