package rg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"syscall"

	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/shell/command"
)

// A run is a running ripgrep.
type run struct {
	*ripgrep
	ctx    context.Context // of the call
	c      *command.Call
	named  bool // names are printed
	alone  bool // it searches one file
	failed bool
	found  bool
	output
}

func (r *ripgrep) run(ctx context.Context, c *command.Call) int {
	c.Out.Broken = 0 // ripgrep searches several files with threads, which end well
	s := &run{ripgrep: r, ctx: ctx, c: c}
	s.named = r.names > 0 || r.names == 0 && len(r.operands) > 1
	operands := r.operands
	switch {
	case len(operands) > 0:
	case c.In.Empty || r.mode == files:
		operands = []string{""}
	default:
		operands = []string{"-"}
	}
	for _, operand := range operands {
		if s.quiet && s.found {
			break
		}
		s.operand(operand)
	}
	switch {
	case s.failed && !(s.quiet && s.found):
		return trouble
	case s.found:
		return 0
	}
	return 1
}

// message returns an error as ripgrep prints it.
func message(err error) string {
	text := command.Message(err)
	var errno syscall.Errno
	switch {
	case errors.As(err, &errno):
	case strings.HasPrefix(text, "No such file"):
		errno = syscall.ENOENT
	case strings.HasPrefix(text, "Permission denied"):
		errno = syscall.EACCES
	default:
		return text
	}
	return fmt.Sprintf("%s (os error %d)", text, int(errno))
}

func (s *run) fail(name string, err error) {
	s.failed, s.c.Out.Broken = true, trouble
	s.c.Files.Omitted.Count(err)
	if !s.silent {
		s.c.EarlyErrorf("%s: %s", name, message(err))
	}
}

// readBlock is the size of the blocks in which ripgrep reads.
const readBlock = 64 << 10

// operand searches a file, the files below a directory, or the standard input as "-". The directory
// of the shell is "".
func (s *run) operand(name string) {
	if name == "-" {
		if s.mode == files {
			s.fail(name, syscall.ENOENT)
			return
		}
		s.single()
		in := s.c.In.Share()
		in.Block = readBlock
		defer in.Close()
		results := search.SearchReader(s.ctx, in, s.matcher, s.options)
		s.results(results, func(string) string { return "<stdin>" })
		return
	}
	start, info, err := s.stat(cmp.Or(name, "."))
	if err != nil {
		s.fail(name+": IO error for operation on "+name, err)
		return
	}
	isDir := info.Kind == workspace.Directory
	shown := func(string) string { return name }
	if isDir {
		prefix := strings.TrimSuffix(name, "/") + "/"
		if name == "" {
			prefix = ""
		}
		shown = func(path string) string { return prefix + path }
		if s.ripgrep.names == 0 {
			s.named = true
		}
	} else {
		s.single()
	}
	totals := new(search.Totals)
	o := s.options
	o.Totals = totals
	o.GlobPrefix = s.globPrefix(start)
	if s.mode == files {
		s.list(start, isDir, o.Scope, totals, shown)
	} else {
		s.results(search.Search(s.ctx, s.c.Files.Workspace, start, s.matcher, o), shown)
		s.checkSearched(name, totals)
	}
	for _, n := range totals.Denied {
		s.c.Files.Omitted.Denied.Add(int64(n))
	}
	if len(totals.Unused) > 0 {
		command.Stop("rg: %s: too long for ignore rules, so not applied; use rg -u", totals.Unused[0])
	}
}

// single tells that a file is searched. If it is the only one, its results count at its end.
func (s *run) single() {
	s.alone = len(s.operands) <= 1
	if s.alone && !s.failed {
		s.c.Out.Broken = 1
	}
}

// checkSearched fails if no file below the directory of the shell was searched, as ripgrep does.
func (s *run) checkSearched(operand string, totals *search.Totals) {
	if operand != "" || totals.Selected > 0 {
		return
	}
	s.failed = true
	if !s.silent {
		s.c.Errorf("No files were searched, which means ripgrep probably applied a filter you " +
			"didn't expect.\nRunning with --debug will show why files are being skipped.")
	}
}

func (s *run) stat(name string) (workspace.Location, workspace.Info, error) {
	start, err := s.c.Files.Find(s.ctx, name)
	if err != nil {
		return start, workspace.Info{}, err
	}
	info, err := start.Stat()
	return start, info, err
}

// globPrefix returns the path of a start relative to the directory of the shell, to which globs
// with slashes are relative.
func (s *run) globPrefix(start workspace.Location) string {
	rel, err := filepath.Rel(s.c.Files.Dir, start.Absolute())
	if err != nil || rel == "." || strings.HasPrefix(rel, "..") {
		return ""
	}
	return filepath.ToSlash(rel) + "/"
}

// list prints the paths of the files that would be searched.
func (s *run) list(
	start workspace.Location, isDir bool, scope search.Scope, totals *search.Totals,
	shown func(string) string,
) {
	if !isDir {
		s.listed(shown(""))
		return
	}
	o := search.FindOptions{
		Scope: scope, Kinds: []workspace.EntryKind{workspace.Regular}, Totals: totals,
	}
	for e, err := range search.Find(s.ctx, s.c.Files.Workspace, start, o) {
		s.c.Account.Check()
		switch {
		case e.Dir == nil: // the walk has not begun
			s.fail(shown(""), err)
		case err != nil:
			s.fail(shown(e.Path()), err)
		default:
			s.listed(shown(e.Path()))
		}
	}
}

func (s *run) listed(name string) {
	s.found = true
	if !s.quiet {
		s.c.Out.WriteString(name + "\n")
	}
}

// results prints the results of a search.
func (s *run) results(results iter.Seq2[search.Result, error], shown func(path string) string) {
	for r, err := range results {
		s.c.Account.Check()
		switch {
		case err != nil:
			s.fail(shown(r.Path), err)
		case r.Line.Number > 0:
			s.line(r.Line)
		default:
			s.endFile()
			s.file(r, shown(r.Path))
		}
		isEnough := s.alone && s.selected >= s.most && s.after == 0
		if isEnough || s.quiet && s.found {
			break
		}
	}
	s.endFile()
}
