package list

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/shell/command"
	"gander/internal/shell/regex"
)

// A walking is a running find.
type walking struct {
	*finder
	ctx       context.Context // of the call
	c         *command.Call
	searchers map[*regex.Regexp]*regex.Searcher
	ended     bool // by -quit
	status    int
	known     map[string]time.Time // of the files that -newer names
}

// A found is an entry that is tested. What is not asked for is not read.
type found struct {
	path  string // as it is printed
	name  string // its last component
	start string // the operand that it is below
	depth int
	kind  workspace.EntryKind
	entry walk.Entry // unless it is an operand

	known   *workspace.Info
	details *workspace.Details
	pruned  bool
}

func (f *finder) run(ctx context.Context, c *command.Call) int {
	batches := make([]*batch, len(f.batches))
	for i, b := range f.batches {
		batches[i] = &batch{argv: b.argv}
	}
	f.batches = batches
	w := &walking{
		finder: f, ctx: ctx, c: c, searchers: make(map[*regex.Regexp]*regex.Searcher),
		known: make(map[string]time.Time),
	}
	for _, name := range f.references { // even if no entry is compared with them
		d, err := describe(ctx, c, name, false)
		if err != nil {
			c.Fatalf(1, "‘%s’: %s", name, command.Message(err))
		}
		w.known[name] = d.ModTime
	}
	for _, start := range f.starts {
		if w.ended {
			break
		}
		w.start(start)
	}
	for _, b := range f.batches {
		w.runBatch(b)
	}
	return w.status
}

func (w *walking) searcher(re *regex.Regexp) *regex.Searcher {
	if w.searchers[re] == nil {
		w.searchers[re] = re.NewSearcher(w.ctx, w.c.Account)
	}
	return w.searchers[re]
}

func (w *walking) fail(name string, err error) {
	w.status = 1
	w.c.Files.Omitted.Count(err)
	w.c.Errorf("‘%s’: %s", strings.ReplaceAll(name, `\`, `\\`), command.Message(err))
}

// start tests an operand and what is below it.
func (w *walking) start(start string) {
	d, err := describe(w.ctx, w.c, start, false)
	if err != nil {
		w.fail(start, err)
		return
	}
	e := &found{
		path: start, name: path.Base(start), start: start, kind: d.Kind,
		known: &d.Info, details: &d,
	}
	w.visit(e)
	isEntered := d.Kind == workspace.Directory && w.most > 0 && !e.pruned && !w.ended
	if isEntered {
		w.below(e)
	}
}

// visit tests an entry, unless its depth is not asked for.
func (w *walking) visit(e *found) {
	w.c.Account.Tick()
	if e.depth >= w.least && !w.ended {
		w.test(w, e)
	}
}

// below tests what is below an operand.
func (w *walking) below(dir *found) {
	d, err := w.c.Files.Directory(w.ctx, dir.path)
	if err != nil {
		w.fail(dir.path, err)
		return
	}
	defer d.Close()
	prefix := join(dir.path, "")
	newFound := func(rel string, depth int, kind workspace.EntryKind) *found {
		name := rel[strings.LastIndexByte(rel, '/')+1:]
		return &found{path: prefix + rel, name: name, start: dir.start, depth: depth, kind: kind}
	}
	var entered *found
	o := walk.Options{Depth: w.most}
	o.Enter = func(in *walk.Directory, _ *workspace.Dir) error {
		if in.Depth == 0 {
			return nil
		}
		entered = newFound(in.Path, in.Depth, workspace.Directory)
		w.visit(entered)
		if entered.pruned || w.ended {
			return fs.SkipDir
		}
		return nil
	}
	for entry, err := range walk.Entries(w.ctx, d, o) {
		w.c.Account.Tick()
		if entry.Dir == nil {
			w.c.Account.Check()
			w.fail(dir.path, err)
			return
		}
		e := newFound(entry.Path(), entry.Depth(), entry.Kind)
		e.entry = entry
		wasEntered := entered != nil && entered.path == e.path
		isGone := errors.Is(err, fs.ErrNotExist)
		if !wasEntered && !isGone {
			w.visit(e)
		}
		if err != nil && !isGone {
			w.fail(e.path, err)
		}
		if w.ended {
			return
		}
	}
}

// info returns the size and time of an entry.
func (w *walking) info(e *found) workspace.Info {
	if e.known == nil && e.entry.Dir != nil {
		info, err := e.entry.Lstat()
		if err == nil {
			e.known = &info
		}
	}
	if e.known == nil {
		return w.describe(e).Info
	}
	return *e.known
}

// describe returns all properties of an entry.
func (w *walking) describe(e *found) workspace.Details {
	if e.details == nil {
		d, err := describe(w.ctx, w.c, e.path, false)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			w.fail(e.path, err)
		}
		e.known, e.details = &d.Info, &d
	}
	return *e.details
}

// typeOf returns the type of an entry, as in a mode.
func (w *walking) typeOf(e *found) uint32 {
	switch e.kind {
	case workspace.Regular:
		return regular
	case workspace.Directory:
		return directory
	case workspace.Symlink:
		return symlink
	}
	return w.describe(e).Mode & typeMask
}

// isEmpty reports whether a file or directory is empty.
func (w *walking) isEmpty(e *found) bool {
	switch w.typeOf(e) {
	case regular:
		return w.info(e).Size == 0
	case directory:
		d, err := w.c.Files.Directory(w.ctx, e.path)
		if err != nil {
			w.fail(e.path, err)
			return false
		}
		defer d.Close()
		isEmpty := true
		err = d.Names(w.ctx, func([]byte, workspace.EntryKind) bool {
			isEmpty = false
			return false
		})
		return isEmpty && err == nil
	}
	return false
}

// exec runs a command of -exec for a path.
func (w *walking) exec(argv []string, path string) bool {
	args := make([]string, len(argv))
	size := 0
	for i, arg := range argv {
		size += len(arg) + strings.Count(arg, "{}")*len(path)
		if size > maxBatch {
			panic(command.Abort{Err: command.Refuse("find -exec: the arguments are too long")})
		}
		args[i] = strings.ReplaceAll(arg, "{}", path)
	}
	return w.execute(args) == 0
}

func (w *walking) runBatch(b *batch) {
	if len(b.paths) == 0 {
		return
	}
	if w.execute(append(slices.Clone(b.argv), b.paths...)) != 0 {
		w.status = 1
	}
	for _, p := range b.paths {
		w.c.Account.Drop(len(p) + 16)
	}
	b.paths, b.size = b.paths[:0], 0
}

func (w *walking) execute(args []string) int {
	w.c.Account.Check()
	in := command.NoInput()
	defer in.Close()
	return w.c.Exec(w.ctx, args, in, nil)
}
