package shell

import (
	"regexp"
	"slices"
	"strings"

	"gander/internal/files/workspace"
	"gander/internal/shell/command"
	"gander/internal/shell/glob"
)

// glob returns the paths that match a field, sorted by their bytes, and counts them.
func (e *environment) glob(account *command.Account, f glob.Text) []string {
	g := globber{e: e, account: account}
	var parts []glob.Text
	for _, at := range component.FindAllStringIndex(f.Value, -1) {
		parts = append(parts, f.Cut(at[0], at[1]))
	}
	g.match("", parts)
	slices.Sort(g.paths)
	return g.paths
}

// component matches a component of a path, with the slashes behind it.
var component = regexp.MustCompile(`[^/]*/+|[^/]+$`)

// A globber finds the paths that match a pattern.
type globber struct {
	e       *environment
	account *command.Account
	paths   []string
}

func (g *globber) add(path string) {
	g.account.Grab(len(path))
	g.paths = command.Append(g.account, g.paths, path)
}

// match adds the paths that begin with prefix and go on with parts.
func (g *globber) match(prefix string, parts []glob.Text) {
	g.account.Tick()
	defer g.e.enter().ascend()
	for len(parts) > 0 && !parts[0].IsPattern() {
		if at := strings.IndexByte(parts[0].Value, '\\'); at >= 0 && !parts[0].IsQuoted(at) {
			command.Stop("%s: here, a backslash in a variable is only in the pattern of a name",
				parts[0].Value)
		}
		prefix += parts[0].Value
		parts = parts[1:]
	}
	if len(parts) == 0 {
		if g.exists(prefix) {
			g.add(prefix)
		}
		return
	}
	name := strings.TrimRight(parts[0].Value, "/")
	slashes := parts[0].Value[len(name):]
	p := compilePattern(parts[0].Cut(0, len(name)))
	for _, entry := range g.entries(prefix, name) {
		if !p.Matches(g.account, entry.name) {
			continue
		}
		path := prefix + entry.name
		switch {
		case slashes == "":
			g.add(path)
		case g.isDirectory(path, entry.kind):
			g.match(path+slashes, parts[1:])
		}
	}
}

// An entry is an entry of a directory.
type entry struct {
	name string
	kind workspace.EntryKind
}

// entries returns the entries of a directory, without hidden ones unless the pattern begins with a
// dot.
func (g *globber) entries(dir, name string) []entry {
	if dir == "" {
		dir = "."
	}
	d, err := g.e.files.Directory(g.e.ctx, dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	withHidden := strings.HasPrefix(name, ".")
	var list []entry
	err = d.Names(g.e.ctx, func(name []byte, kind workspace.EntryKind) bool {
		g.account.Tick()
		if name[0] == '.' && !withHidden {
			return true
		}
		g.account.Grab(len(name))
		list = command.Append(g.account, list, entry{string(name), kind})
		return true
	})
	if err != nil {
		g.e.files.Omitted.Count(err)
	}
	return list
}

func (g *globber) isDirectory(path string, kind workspace.EntryKind) bool {
	if kind == workspace.Symlink || kind == workspace.Unknown {
		return g.e.checkDir(path) == nil
	}
	return kind == workspace.Directory
}

// exists reports whether there is something at a path, even if it is a symlink to nothing.
func (g *globber) exists(path string) bool {
	location, err := g.e.files.Find(g.e.ctx, path)
	if err == nil {
		_, err = location.Lstat()
	}
	return err == nil
}
