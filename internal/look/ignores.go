package look

import (
	"context"
	"io"
	"io/fs"
	"path"
	"strings"

	"gander"
	"gander/internal/gitignore"
)

// maxIgnoreFile is the largest ignore file that is read, in bytes.
const maxIgnoreFile = 1 << 20

// ignores judges the entries of a listing by the ignore files, which are read when the first entry beside them is judged.
// Nil ignores nothing.
type ignores struct {
	ctx   context.Context
	root  fs.FS
	base  string // the listed directory, relative to the root; "" for the root itself
	chain []level
}

// A level is the rules that hold in a directory.
type level struct {
	dir   string // relative to the root, "" for the root itself
	rules *gitignore.Stack
	view  *gitignore.Dir
}

func newIgnores(ctx context.Context, files *gander.Toolset, root, rel string) *ignores {
	fsys, err := files.FS(root)
	if err != nil {
		return nil // the listing says what is wrong
	}
	i := &ignores{ctx: ctx, root: fsys}
	if rel = path.Clean(rel); rel != "." {
		i.base = rel
	}
	rules := i.push(nil, "", ".git/info/exclude")
	i.enter("", i.push(rules, "", ".gitignore"))
	return i
}

// ignore reports whether an entry of the listing is ignored. A symlink is no directory to the rules.
func (i *ignores) ignore(e gander.Entry, name string) bool {
	if i == nil {
		return false
	}
	dir := strings.TrimSuffix(strings.TrimSuffix(path.Join(i.base, e.Path), name), "/")
	return name == ".git" || i.in(dir).Match(name, e.IsDir()).Verdict == gitignore.Ignore
}

// in is the view on the entries of dir. Most of its way is the same as last time's.
func (i *ignores) in(dir string) *gitignore.Dir {
	for last := i.top(); last.dir != "" && dir != last.dir && !strings.HasPrefix(dir, last.dir+"/"); last = i.top() {
		i.chain = i.chain[:len(i.chain)-1]
	}
	for last := i.top(); last.dir != dir; last = i.top() {
		below := strings.TrimPrefix(strings.TrimPrefix(dir, last.dir), "/")
		name, _, _ := strings.Cut(below, "/")
		next := path.Join(last.dir, name)
		i.enter(next, i.push(last.rules, next, path.Join(next, ".gitignore")))
	}
	return i.top().view
}

func (i *ignores) top() level { return i.chain[len(i.chain)-1] }

func (i *ignores) enter(dir string, rules *gitignore.Stack) {
	i.chain = append(i.chain, level{dir, rules, rules.InContext(i.ctx, dir)})
}

// push puts the rules of an ignore file of the directory base on the stack. One that is no regular file, which a symlink
// is not, or too large, counts as absent, as does one with a path that is not UTF-8.
func (i *ignores) push(rules *gitignore.Stack, base, name string) *gitignore.Stack {
	info, err := fs.Lstat(i.root, name)
	if err != nil || !info.Mode().IsRegular() {
		return rules
	}
	f, err := i.root.Open(name)
	if err != nil {
		return rules
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxIgnoreFile+1))
	if err != nil || len(data) > maxIgnoreFile {
		return rules
	}
	return rules.Push(gitignore.Parse(name, base, data))
}
