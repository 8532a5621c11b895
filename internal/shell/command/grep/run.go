package grep

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"path"
	"strings"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/shell/command"
	"gander/internal/shell/regex"
)

// standardInput is what the standard input is called.
const standardInput = "(standard input)"

// A search is a running grep.
type search struct {
	*grep
	ctx      context.Context // of the call
	c        *command.Call
	searcher *regex.Searcher
	rules    filter
	dirs     filter
	named    bool // names are printed
	found    bool // a line was selected
	printed  bool // a line was printed
	failed   bool
	buf      []byte
}

func (g *grep) run(ctx context.Context, c *command.Call) int {
	s := &search{
		grep: g, ctx: ctx, c: c, searcher: g.re.NewSearcher(ctx, c.Account),
		rules: filter{g.rules, c.Account}, dirs: filter{g.dirs, c.Account},
	}
	s.named = g.names > 0 || g.names == 0 && len(g.operands) > 1
	switch {
	case len(g.operands) > 0:
		s.operandsInOrder()
	case g.recursive:
		s.named = g.names >= 0
		s.directory(".", "")
	default:
		s.search(c.In, standardInput)
	}
	switch {
	case s.failed && !s.done():
		return trouble
	case s.found:
		return 0
	}
	return 1
}

// done reports whether nothing more is to be searched.
func (s *search) done() bool { return s.quiet && s.found }

func (s *search) operandsInOrder() {
	single := len(s.operands) == 1
	for _, name := range s.operands {
		if s.done() {
			return
		}
		isDir := false
		if name != "-" && s.recursive {
			isDir = s.kind(name) == workspace.Directory
		}
		switch {
		case name == "-":
			s.search(s.c.In, standardInput)
		case isDir && s.dirs.excludes(strings.TrimRight(name, "/"), true):
		case isDir:
			s.named = s.named || single && s.names == 0
			s.directory(name, strings.TrimSuffix(name, "/")+"/")
		case !s.rules.excludes(name, true), s.kind(name) == workspace.Unknown: // reported if missing
			s.file(name, name)
		}
	}
}

// kind returns the kind of what a path leads to, or Unknown.
func (s *search) kind(name string) workspace.EntryKind {
	info, err := s.c.Files.Stat(s.ctx, name)
	if err != nil {
		return workspace.Unknown
	}
	return info.Kind
}

// file searches the file at a path, which is shown as name.
func (s *search) file(path, name string) {
	in, err := s.c.Files.Open(s.ctx, path)
	if err != nil {
		s.fail(name, err)
		if s.kind(path) != workspace.Directory {
			return
		}
		in = command.NoInput() // grep counts the lines of a directory, too
	}
	defer in.Close()
	s.search(in, name)
}

func (s *search) fail(name string, err error) {
	s.failed = true
	if !s.silent {
		s.c.Failed("", name, err)
	}
}

// directory searches the files below a directory, whose paths are shown after a prefix.
func (s *search) directory(dir, prefix string) {
	d, err := s.c.Files.Directory(s.ctx, dir)
	if err != nil {
		s.fail(dir, err)
		return
	}
	defer d.Close()
	o := walk.Options{Depth: math.MaxInt, Filter: s.filter}
	for e, err := range walk.Entries(s.ctx, d, o) {
		s.c.Account.Check()
		name := prefix + e.Path()
		switch {
		case err != nil:
			s.c.Files.Omitted.Count(err)
			s.fail(name, err)
		case e.Kind == workspace.Symlink:
			s.link(path.Join(dir, e.Path()), name)
		case e.Kind != workspace.Directory:
			s.entry(e, name)
		}
		if s.done() {
			return
		}
	}
}

// filter decides about an entry of a directory. Special files are left out, and symlinks without
// -R.
func (s *search) filter(
	_ *walk.Directory, name []byte, kind workspace.EntryKind,
) walk.Decision {
	shown := false
	switch kind {
	case workspace.Directory:
		shown = !s.dirs.excludes(string(name), false)
	case workspace.Regular, workspace.Unknown:
		shown = !s.rules.excludes(string(name), false)
	case workspace.Symlink:
		shown = s.follow
	}
	if shown {
		return walk.Show
	}
	return walk.Omit
}

func (s *search) entry(e walk.Entry, name string) {
	f, err := e.File()
	switch {
	case errors.Is(err, workspace.ErrNotRegular), errors.Is(err, fs.ErrNotExist):
		return
	case err != nil:
		s.c.Files.Omitted.Count(err)
		s.fail(name, err)
		return
	}
	in := command.FileInput(s.ctx, f)
	defer in.Close()
	s.search(in, name)
}

// link follows a symlink to a file. Symlinks to directories, which can make loops, are refused.
func (s *search) link(path, name string) {
	base := name[strings.LastIndexByte(name, '/')+1:]
	isDir := s.kind(path) == workspace.Directory
	switch {
	case isDir && s.dirs.excludes(base, false), !isDir && s.rules.excludes(base, false):
	case isDir:
		command.Stop("grep -R: %s is a symlink to a directory; use -r, and name the directory", name)
	default:
		s.file(path, name)
	}
}
