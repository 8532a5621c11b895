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
)

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
	f.ctx, f.c, f.now = ctx, c, time.Now()
	for _, name := range f.references { // even if no entry is compared with them
		d, err := describe(ctx, c, name, false)
		if err != nil {
			c.Fatalf(1, "‘%s’: %s", name, command.Message(err))
		}
		f.known[name] = d.ModTime
	}
	for _, start := range f.starts {
		if f.ended {
			break
		}
		f.start(start)
	}
	for _, b := range f.batches {
		f.runBatch(b)
	}
	return f.status
}

func (f *finder) report(name string, err error) {
	f.status = 1
	f.c.Files.Omitted.Count(err)
	f.c.Errorf("‘%s’: %s", strings.ReplaceAll(name, `\`, `\\`), command.Message(err))
}

// start tests an operand and what is below it.
func (f *finder) start(start string) {
	d, err := describe(f.ctx, f.c, start, false)
	if err != nil {
		f.report(start, err)
		return
	}
	e := &found{
		path: start, name: path.Base(start), start: start, kind: d.Kind,
		known: &d.Info, details: &d,
	}
	f.visit(e)
	isEntered := d.Kind == workspace.Directory && f.most > 0 && !e.pruned && !f.ended
	if isEntered {
		f.below(e)
	}
}

// visit tests an entry, unless its depth is not asked for.
func (f *finder) visit(e *found) {
	f.c.Account.Tick()
	if e.depth >= f.least && !f.ended {
		f.test(e)
	}
}

// below tests what is below an operand.
func (f *finder) below(dir *found) {
	d, err := f.c.Files.Directory(f.ctx, dir.path)
	if err != nil {
		f.report(dir.path, err)
		return
	}
	defer d.Close()
	prefix := join(dir.path, "")
	newFound := func(rel string, depth int, kind workspace.EntryKind) *found {
		name := rel[strings.LastIndexByte(rel, '/')+1:]
		return &found{path: prefix + rel, name: name, start: dir.start, depth: depth, kind: kind}
	}
	var entered *found
	o := walk.Options{Depth: f.most}
	o.Enter = func(in *walk.Directory, _ *workspace.Dir) error {
		if in.Depth == 0 {
			return nil
		}
		entered = newFound(in.Path, in.Depth, workspace.Directory)
		f.visit(entered)
		if entered.pruned || f.ended {
			return fs.SkipDir
		}
		return nil
	}
	for entry, err := range walk.Entries(f.ctx, d, o) {
		f.c.Account.Tick()
		if entry.Dir == nil {
			f.c.Account.Check()
			f.report(dir.path, err)
			return
		}
		e := newFound(entry.Path(), entry.Depth(), entry.Kind)
		e.entry = entry
		wasEntered := entered != nil && entered.path == e.path
		isGone := errors.Is(err, fs.ErrNotExist)
		if !wasEntered && !isGone {
			f.visit(e)
		}
		if err != nil && !isGone {
			f.report(e.path, err)
		}
		if f.ended {
			return
		}
	}
}

// info returns the size and time of an entry.
func (f *finder) info(e *found) workspace.Info {
	if e.known == nil && e.entry.Dir != nil {
		info, err := e.entry.Lstat()
		if err == nil {
			e.known = &info
		}
	}
	if e.known == nil {
		return f.describe(e).Info
	}
	return *e.known
}

// describe returns all properties of an entry.
func (f *finder) describe(e *found) workspace.Details {
	if e.details == nil {
		d, err := describe(f.ctx, f.c, e.path, false)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			f.report(e.path, err)
		}
		e.known, e.details = &d.Info, &d
	}
	return *e.details
}

// typeOf returns the type of an entry, as in a mode.
func (f *finder) typeOf(e *found) uint32 {
	switch e.kind {
	case workspace.Regular:
		return regular
	case workspace.Directory:
		return directory
	case workspace.Symlink:
		return symlink
	}
	return f.describe(e).Mode & typeMask
}

// isEmpty reports whether a file or directory is empty.
func (f *finder) isEmpty(e *found) bool {
	switch f.typeOf(e) {
	case regular:
		return f.info(e).Size == 0
	case directory:
		d, err := f.c.Files.Directory(f.ctx, e.path)
		if err != nil {
			f.report(e.path, err)
			return false
		}
		defer d.Close()
		isEmpty := true
		err = d.Names(f.ctx, func([]byte, workspace.EntryKind) bool {
			isEmpty = false
			return false
		})
		return isEmpty && err == nil
	}
	return false
}

// A batch is the arguments that a command of -exec + gets at once.
type batch struct {
	argv  []string
	paths []string
	size  int
}

const maxBatch = 100 << 10 // bytes of paths

// exec parses the command of -exec.
func (f *finder) exec() test {
	var argv []string
	for {
		arg := f.value("-exec")
		isEnd := arg == ";" || arg == "+" && len(argv) > 1 && argv[len(argv)-1] == "{}"
		if isEnd && len(argv) == 0 {
			f.fail("invalid argument `;' to `-exec'")
		}
		if isEnd && arg == ";" {
			return func(e *found) bool { return f.execPath(argv, e.path) }
		}
		if isEnd {
			break
		}
		argv = append(argv, arg)
	}
	argv = argv[:len(argv)-1]
	if slices.ContainsFunc(argv, func(s string) bool { return strings.Contains(s, "{}") }) {
		f.fail("Only one instance of {} is supported with -exec ... +")
	}
	b := &batch{argv: argv}
	f.batches = append(f.batches, b)
	return func(e *found) bool {
		if b.size+len(e.path) >= maxBatch {
			f.runBatch(b)
		}
		const header = 16
		f.c.Account.Grab(len(e.path) + header)
		b.paths = append(b.paths, e.path)
		b.size += len(e.path) + 1
		return true
	}
}

// execPath runs a command of -exec for a path.
func (f *finder) execPath(argv []string, path string) bool {
	args := make([]string, len(argv))
	size := 0
	for i, arg := range argv {
		size += len(arg) + strings.Count(arg, "{}")*len(path)
		if size > maxBatch {
			command.Stop("find -exec: the arguments are too long")
		}
		args[i] = strings.ReplaceAll(arg, "{}", path)
	}
	return f.execute(args) == 0
}

func (f *finder) runBatch(b *batch) {
	if len(b.paths) == 0 {
		return
	}
	if f.execute(append(slices.Clone(b.argv), b.paths...)) != 0 {
		f.status = 1
	}
	for _, p := range b.paths {
		f.c.Account.Drop(len(p) + 16)
	}
	b.paths, b.size = b.paths[:0], 0
}

func (f *finder) execute(args []string) int {
	f.c.Account.Check()
	in := command.NoInput()
	defer in.Close()
	return f.c.Exec(f.ctx, args, in, nil)
}
