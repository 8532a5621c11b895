package list

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

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
	chain     command.Chain // with -L
	device    workspace.Device
	known     map[string]workspace.Details // of other files that tests name
}

// A found is an entry that is tested. What is not asked for is not read.
type found struct {
	path  string // as it is printed
	name  string // its last component
	start string // the operand that it is below
	depth int
	kind  workspace.EntryKind
	entry walk.Entry // unless it is an operand

	hasInfo, hasDetails bool
	details             workspace.Details
	pruned              bool
}

func (f *finder) run(ctx context.Context, c *command.Call) int {
	batches := make([]*batch, len(f.batches))
	for i, b := range f.batches {
		batches[i] = &batch{argv: b.argv}
	}
	f.batches = batches
	w := &walking{
		finder: f, ctx: ctx, c: c, searchers: make(map[*regex.Regexp]*regex.Searcher),
		known: make(map[string]workspace.Details),
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
	d, err := describe(w.ctx, w.c, start, w.followArgs)
	if err != nil && w.followArgs {
		d, err = describe(w.ctx, w.c, start, false)
	}
	if err != nil {
		w.fail(start, err)
		return
	}
	e := &found{
		path: start, name: path.Base(start), start: start, kind: d.Kind,
		details: d, hasInfo: true, hasDetails: true,
	}
	w.device = d.Device
	if d.Kind != workspace.Directory {
		w.visit(e)
		return
	}
	w.directory(e)
}

// visit tests an entry, unless its depth is not asked for.
func (w *walking) visit(e *found) {
	w.c.Account.Tick()
	if e.depth >= w.least && !w.ended {
		w.test(w, e)
	}
}

// directory tests a directory that is an operand, or that a symlink leads to, and what is below it.
func (w *walking) directory(e *found) {
	if !w.after {
		w.visit(e)
	}
	isEntered := e.depth < w.most && !e.pruned && !w.ended
	if isEntered {
		w.below(e)
	}
	if w.after {
		w.visit(e)
	}
}

// below tests what is below a directory.
func (w *walking) below(dir *found) {
	d, err := w.c.Files.Directory(w.ctx, dir.path)
	if err != nil {
		w.fail(dir.path, err)
		return
	}
	defer d.Close()
	if w.follow {
		start, err := w.c.Files.Find(w.ctx, dir.path)
		if err != nil {
			return
		}
		w.chain.Push(start)
		defer w.chain.Pop()
	}
	prefix := join(dir.path, "")
	var open []*found // directories whose entries are walked, with -depth
	var entered *found
	o := walk.Options{Depth: math.MaxInt}
	if w.follow {
		o.Filter = func(in *walk.Directory, name []byte, kind workspace.EntryKind) walk.Decision {
			isLoop := kind == workspace.Directory && w.chain.Has(in.Path, string(name))
			if isLoop {
				w.loop(w.found(dir, prefix, path.Join(in.Path, string(name)), in.Depth+1, kind))
				return walk.Omit
			}
			return walk.Show
		}
	}
	if w.most < math.MaxInt {
		o.Depth = w.most - dir.depth
	}
	o.Enter = func(in *walk.Directory, _ *workspace.Dir) error {
		if in.Depth == 0 || w.after {
			return nil
		}
		entered = w.found(dir, prefix, in.Path, in.Depth, workspace.Directory)
		w.visit(entered)
		if entered.pruned || w.ended || w.isOutside(entered) {
			return fs.SkipDir
		}
		return nil
	}
	for entry, err := range walk.Entries(w.ctx, d, o) {
		w.c.Account.Tick()
		if entry.Dir == nil {
			w.c.Account.Check()
			w.fail(dir.path, err)
			break
		}
		open = w.leave(open, entry.Depth()+dir.depth)
		e := w.found(dir, prefix, entry.Path(), entry.Depth(), entry.Kind)
		e.entry = entry
		wasEntered := entered != nil && entered.path == e.path
		switch {
		case err != nil && errors.Is(err, fs.ErrNotExist):
		case err != nil:
			if !wasEntered && !w.after {
				w.visit(e)
			}
			w.fail(e.path, err)
			if w.after {
				w.visit(e)
			}
		case wasEntered:
		case e.kind == workspace.Directory && w.after:
			e.entry = walk.Entry{}
			open = append(open, e)
		case e.kind == workspace.Symlink && w.follow:
			w.link(e)
		default:
			w.visit(e)
		}
		if w.ended {
			return
		}
	}
	w.leave(open, 0)
}

func (w *walking) found(
	dir *found, prefix, rel string, depth int, kind workspace.EntryKind,
) *found {
	name := rel[strings.LastIndexByte(rel, '/')+1:]
	return &found{
		path: prefix + rel, name: name, start: dir.start, depth: dir.depth + depth, kind: kind,
	}
}

// leave tests the directories whose entries have been tested: those of at least a depth.
func (w *walking) leave(open []*found, depth int) []*found {
	for len(open) > 0 && open[len(open)-1].depth >= depth {
		w.visit(open[len(open)-1])
		open = open[:len(open)-1]
	}
	return open
}

// isOutside reports whether a directory is on another device, with -xdev.
func (w *walking) isOutside(e *found) bool {
	return w.oneDevice && w.details(e).Device != w.device
}

// link tests what a symlink leads to.
func (w *walking) link(e *found) {
	d, err := describe(w.ctx, w.c, e.path, true)
	if err != nil {
		w.visit(e)
		return
	}
	e.kind, e.details, e.hasInfo, e.hasDetails = d.Kind, d, true, true
	if d.Kind != workspace.Directory {
		w.visit(e)
		return
	}
	if location, err := w.c.Files.Find(w.ctx, e.path); err == nil && w.chain.IsLoop(location) {
		w.loop(e)
		return
	}
	w.directory(e)
}

func (w *walking) loop(e *found) {
	w.status = 1
	w.c.Errorf("File system loop detected; ‘%s’ is part of the same file system loop as ‘%s’.",
		e.path, path.Dir(e.path))
}

// info returns the size and time of an entry.
func (w *walking) info(e *found) workspace.Info {
	if !e.hasInfo && e.entry.Dir != nil {
		info, err := e.entry.Lstat()
		if err == nil {
			e.details.Info, e.hasInfo = info, true
		}
	}
	if !e.hasInfo {
		return w.details(e).Info
	}
	return e.details.Info
}

// details returns all properties of an entry.
func (w *walking) details(e *found) workspace.Details {
	if !e.hasDetails {
		d, err := describe(w.ctx, w.c, e.path, false)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			w.fail(e.path, err)
		}
		e.details, e.hasInfo, e.hasDetails = d, true, true
	}
	return e.details
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
	return w.details(e).Mode & typeMask
}

// otherMode returns the mode of what a symlink leads to, or with -L of the symlink.
func (w *walking) otherMode(e *found) uint32 {
	d, err := describe(w.ctx, w.c, e.path, !w.follow)
	if err != nil {
		d = w.details(e)
	}
	return d.Mode
}

// target returns the details of what a symlink leads to, or of an entry that is none.
func (w *walking) target(e *found) workspace.Details {
	if e.kind != workspace.Symlink {
		return w.details(e)
	}
	d, err := describe(w.ctx, w.c, e.path, true)
	if err != nil {
		return workspace.Details{}
	}
	return d
}

// reference returns the details of a file that a test names.
func (w *walking) reference(name string) (workspace.Details, bool) {
	d, ok := w.known[name]
	if !ok {
		var err error
		if d, err = describe(w.ctx, w.c, name, w.follow); err != nil {
			w.c.Fatalf(1, "‘%s’: %s", name, command.Message(err))
		}
		w.known[name] = d
	}
	return d, true
}

func (w *walking) isSame(e *found, name string) bool {
	other, ok := w.reference(name)
	d := w.details(e)
	return ok && d.Inode == other.Inode && d.Device == other.Device
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
