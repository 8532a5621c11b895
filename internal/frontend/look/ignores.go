package look

import (
	"context"
	"io"
	"io/fs"
	"path"
	"strings"

	"gander"
	"gander/internal/engine/ignore"
)

// maxIgnoreFile is the largest ignore file that is read, in bytes.
const maxIgnoreFile = 1 << 20

// ignores judges the entries of a listing by the ignore files.
type ignores struct {
	root  fs.FS
	base  string  // the listed directory, relative to the root; "" for the root itself
	chain []level // from the root down to the directory whose entries are judged
}

// A level is the rules that hold in a directory.
type level struct {
	dir   string // relative to the root, "" for the root itself
	rules *ignore.Dir
}

// A describer is fs.Lstat for the names in one directory.
type describer = func(name string) (fs.FileInfo, error)

func newIgnores(ctx context.Context, files *gander.Toolset, root, rel string) *ignores {
	fsys, err := files.FS(root)
	if err != nil {
		return nil // the listing says what is wrong
	}
	i := &ignores{root: fsys}
	if rel = path.Clean(rel); rel != "." {
		i.base = rel
	}
	var rules *ignore.Stack
	for _, name := range []string{".git/info/exclude", ".gitignore"} {
		rules = rules.Push(i.read("", name, i.in("")))
	}
	i.chain = []level{{"", rules.In(ctx, "")}}
	for at, c := range i.base {
		if c == '/' {
			i.push(i.base[:at], i.in(i.base[:at]))
		}
	}
	return i
}

// in describes what lies in dir, a directory above the listed one or the root.
func (i *ignores) in(dir string) describer {
	return func(name string) (fs.FileInfo, error) { return fs.Lstat(i.root, path.Join(dir, name)) }
}

// enter makes dir, relative to the listed directory, the one whose entries are judged. The one above it has been entered
// before.
func (i *ignores) enter(dir string, lstat describer) {
	dir = path.Join(i.base, dir)
	for !i.top().holds(dir) {
		i.chain = i.chain[:len(i.chain)-1]
	}
	if i.top().dir != dir {
		i.push(dir, lstat)
	}
}

func (i *ignores) top() level { return i.chain[len(i.chain)-1] }

// holds reports whether dir is the level's, or below it.
func (l level) holds(dir string) bool {
	rest, ok := strings.CutPrefix(dir, l.dir)
	return l.dir == "" || ok && (rest == "" || rest[0] == '/')
}

// push enters a directory of the last one.
func (i *ignores) push(dir string, lstat describer) {
	i.chain = append(i.chain, level{dir, i.top().rules.Enter(path.Base(dir), i.read(dir, ".gitignore", lstat))})
}

// ignore reports whether an entry of the directory is ignored. A symlink is no directory to the rules.
func (i *ignores) ignore(name string, isDir bool) bool {
	return name == ".git" || i.top().rules.Match(name, isDir).Verdict == ignore.Ignore
}

// read reads the ignore file of that name in dir. One that is no regular file, which a symlink is not, or too large, counts
// as absent, as does one with a path that is not UTF-8: nil.
func (i *ignores) read(dir, name string, lstat describer) *ignore.File {
	info, err := lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	name = path.Join(dir, name)
	f, err := i.root.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxIgnoreFile+1))
	if err != nil || len(data) > maxIgnoreFile {
		return nil
	}
	return ignore.Parse(name, dir, data)
}
