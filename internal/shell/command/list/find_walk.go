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

// A candidate is an operand or an entry below one, which the expression is tested on. Its
// properties are read when a test first asks for them.
type candidate struct {
	path  string // as it is printed
	name  string // its last component
	start string // the operand that it is below
	depth int
	kind  workspace.EntryKind
	entry walk.Entry // unless it is an operand

	info    *workspace.Info    // nil until it is read
	details *workspace.Details // nil until they are read
	pruned  bool               // by -prune: it is not entered
}

func (f *finder) run(ctx context.Context, c *command.Call) int {
	f.ctx, f.c, f.now = ctx, c, time.Now()
	for _, name := range f.references { // even if no entry is compared with them
		d, err := describe(ctx, c, name, false)
		if err != nil {
			c.Fatalf(1, "‘%s’: %s", name, command.Message(err))
		}
		f.newer[name] = d.ModTime
	}
	for _, start := range f.starts {
		if f.ended {
			break
		}
		f.visitOperand(start)
	}
	for _, b := range f.batches {
		f.runBatch(b)
	}
	return f.status
}

// report reports an error about a path. The other paths are still tested.
func (f *finder) report(name string, err error) {
	f.status = 1
	f.c.Files.Omitted.Count(err)
	f.c.Errorf("‘%s’: %s", strings.ReplaceAll(name, `\`, `\\`), command.Message(err))
}

// visitOperand tests an operand and what is below it.
func (f *finder) visitOperand(start string) {
	d, err := describe(f.ctx, f.c, start, false)
	if err != nil {
		f.report(start, err)
		return
	}
	e := &candidate{
		path: start, name: path.Base(start), start: start, kind: d.Kind,
		info: &d.Info, details: &d,
	}
	f.visit(e)
	isEntered := d.Kind == workspace.Directory && f.most > 0 && !e.pruned && !f.ended
	if isEntered {
		f.below(e)
	}
}

// visit tests an entry, unless its depth is not asked for.
func (f *finder) visit(e *candidate) {
	f.c.Account.Tick()
	if e.depth >= f.least && !f.ended {
		f.test(e)
	}
}

// below tests what is below an operand. A directory is tested when the walk enters it, since -prune
// and -quit decide whether it is; the walk then yields it, and it is not tested again.
func (f *finder) below(dir *candidate) {
	d, err := f.c.Files.Directory(f.ctx, dir.path)
	if err != nil {
		f.report(dir.path, err)
		return
	}
	defer d.Close()
	prefix := join(dir.path, "")
	newCandidate := func(rel string, depth int, kind workspace.EntryKind) *candidate {
		name := rel[strings.LastIndexByte(rel, '/')+1:]
		return &candidate{path: prefix + rel, name: name, start: dir.start, depth: depth, kind: kind}
	}
	var entered *candidate
	o := walk.Options{Depth: f.most}
	o.Enter = func(in *walk.Directory, _ *workspace.Dir) error {
		if in.Depth == 0 {
			return nil
		}
		entered = newCandidate(in.Path, in.Depth, workspace.Directory)
		f.visit(entered)
		if entered.pruned || f.ended {
			return fs.SkipDir
		}
		return nil
	}
	for entry, err := range walk.Entries(f.ctx, d, o) {
		f.c.Account.Tick()
		if entry.Dir == nil {
			f.report(dir.path, err)
			return
		}
		e := newCandidate(entry.Path(), entry.Depth(), entry.Kind)
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

// A batch is the arguments that a command of -exec + gets at once.
type batch struct {
	argv  []string // the command and its first arguments
	paths []string
	size  int // of the paths, each with the NUL after it
}

const (
	maxBatch   = 100 << 10 // the bytes of paths, or of arguments with -exec ;
	pathMemory = 16        // the memory of a path besides its text
)

// exec compiles -exec: with ";" its command runs for each path, with "+" for batches of paths.
func (f *finder) exec() test {
	var argv []string
	for {
		arg := f.value("-exec")
		isEnd := arg == ";" || arg == "+" && len(argv) > 1 && argv[len(argv)-1] == "{}"
		if isEnd && len(argv) == 0 {
			f.fail("invalid argument `;' to `-exec'")
		}
		if isEnd && arg == ";" {
			return func(e *candidate) bool { return f.execPath(argv, e.path) }
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
	return func(e *candidate) bool {
		if b.size+len(e.path) >= maxBatch {
			f.runBatch(b)
		}
		f.c.Account.Grab(len(e.path) + pathMemory)
		b.paths = append(b.paths, e.path)
		b.size += len(e.path) + 1
		return true
	}
}

// execPath runs a command of -exec for a path, and reports whether it succeeded.
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

// runBatch runs the command of a batch for its paths, if any, and empties it.
func (f *finder) runBatch(b *batch) {
	if len(b.paths) == 0 {
		return
	}
	if f.execute(append(slices.Clone(b.argv), b.paths...)) != 0 {
		f.status = 1
	}
	for _, p := range b.paths {
		f.c.Account.Drop(len(p) + pathMemory)
	}
	b.paths, b.size = b.paths[:0], 0
}

func (f *finder) execute(args []string) int {
	f.c.Account.Check()
	in := command.NoInput()
	defer in.Close()
	return f.c.Exec(f.ctx, args, in, nil)
}
