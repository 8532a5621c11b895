package list

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"gander/internal/files/ignore"
	"gander/internal/files/pattern"
	"gander/internal/files/workspace"
	"gander/internal/shell/command"
)

const treeOptions = "-a, -d, -L=, -I=, --noreport, --dirsfirst, --gitignore"

// A tree is a tree command with its options.
type tree struct {
	command.Arguments
	depth int

	ctx         context.Context // of the run
	c           *command.Call
	work        pattern.Work
	excluded    []*pattern.Pattern // by -I
	dirs, files int                // shown
}

func prepareTree(a command.Arguments) (command.Run, error) {
	t := tree{Arguments: a, depth: maxDepth}
	if text, ok := a.Value("-L"); ok {
		depth, err := strconv.Atoi(text)
		if err != nil || depth < 1 {
			return nil, command.GNUError("Invalid level, must be greater than 0.")
		}
		t.depth = min(depth, maxDepth)
	}
	return func(ctx context.Context, c *command.Call) (status int) {
		t.ctx, t.c, t.work = ctx, c, pattern.NewWork(ctx)
		t.excluded = t.patterns()
		for _, name := range a.OperandsOr(".") {
			if !t.operand(name) {
				status = 2
			}
		}
		if !a.Has("--noreport") {
			c.Out.WriteString("\n" + count(t.dirs, "directory", "directories"))
			if !a.Has("-d") {
				c.Out.WriteString(", " + count(t.files, "file", "files"))
			}
			c.Out.WriteByte('\n')
		}
		return status
	}, nil
}

// count returns a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// patterns compiles the patterns of -I, which "|" separates.
func (t *tree) patterns() (list []*pattern.Pattern) {
	compiler := pattern.NewCompiler(t.ctx)
	for _, o := range t.Options {
		if o.Name != "-I" {
			continue
		}
		for glob := range strings.SplitSeq(o.Value, "|") {
			p, err := compiler.Compile(pattern.Ignore, strings.TrimSuffix(glob, "/"), false)
			if err != nil {
				t.c.Fatalf(1, "-I %s: %v", glob, err)
			}
			list = append(list, p)
		}
	}
	return list
}

// operand shows the tree at p and reports whether p exists. A directory counts if something in it
// is shown; one that cannot be read, and what is no directory, counts as a file.
func (t *tree) operand(p string) bool {
	_, err := describe(t.ctx, t.c, p, false)
	exists := err == nil
	d, err := describe(t.ctx, t.c, p, true)
	if err != nil || d.Kind != workspace.Directory {
		t.c.Out.WriteString(p + "  [error opening dir]\n")
		if exists {
			t.files++
		}
		return exists
	}
	var chain *ignore.Chain
	if t.Has("--gitignore") {
		location, err := t.c.Files.Find(t.ctx, p)
		t.checkRead(p, err)
		narrowed, err := t.c.Files.Workspace.Narrow(location.Absolute())
		t.checkRead(p, err)
		defer narrowed.Close()
		location, err = narrowed.Find(t.ctx, ".")
		t.checkRead(p, err)
		dir, err := location.Dir()
		t.checkRead(p, err)
		defer dir.Close()
		files := []ignore.ToolFile{{Name: ".gitignore", EveryDirectory: true}}
		o := ignore.Options{Tools: files, OpenGit: true}
		chain, err = ignore.Open(t.ctx, narrowed, dir, o)
		t.checkRead(p, err)
		checkRules(chain)
	}
	t.c.Out.WriteString(p)
	before := t.dirs + t.files
	if err := t.below(p, "", 1, chain); err != nil {
		t.files++
		return true
	}
	if t.dirs+t.files > before {
		t.dirs++
	}
	return true
}

// checkRead ends the command if the ignore files from p down could not be read.
func (t *tree) checkRead(p string, err error) {
	if err != nil {
		t.c.Fatalf(1, "cannot read the ignore files of %s: %s", p, command.Message(err))
	}
}

// checkRules ends the script if ignore files are too long to be applied.
func checkRules(chain *ignore.Chain) {
	if unused := chain.Unused(); len(unused) > 0 {
		command.Stop("tree: %s: too long for ignore rules, so not applied; leave out --gitignore",
			unused[0])
	}
}

// below ends the line of the directory at p and shows its entries, each after the indent. chain has
// the ignore rules down to it, or is nil without --gitignore.
func (t *tree) below(p, indent string, level int, chain *ignore.Chain) error {
	t.c.Account.Check()
	held := t.c.Account.Held()
	keep := func(name string) bool { return t.Has("-a") || !strings.HasPrefix(name, ".") }
	entries, err := children(t.ctx, t.c, p, false, keep, nil)
	if err != nil {
		t.c.Out.WriteString("  [error opening dir]\n")
		return err
	}
	t.c.Out.WriteByte('\n')
	var list []item
	for _, entry := range entries {
		if it := t.item(p, entry); t.isShown(it, chain) {
			list = append(list, it)
		}
	}
	if t.Has("--dirsfirst") {
		files := slices.DeleteFunc(slices.Clone(list), func(it item) bool { return it.isDir })
		list = slices.DeleteFunc(list, func(it item) bool { return !it.isDir })
		list = append(list, files...)
	}
	for i, it := range list {
		t.show(p, it, indent, i == len(list)-1, level, chain)
	}
	t.c.Account.Drop(int(t.c.Account.Held() - held))
	return nil
}

// item completes an entry of a directory with what a symlink leads to.
func (t *tree) item(dir string, entry child) item {
	it := item{child: entry, isDir: entry.details.Kind == workspace.Directory}
	p := join(dir, entry.name)
	if entry.details.Kind == workspace.Symlink {
		it.target = readlink(t.ctx, t.c, p)
		target, err := describe(t.ctx, t.c, p, true)
		it.isDir = err == nil && target.Kind == workspace.Directory
	}
	return it
}

func (t *tree) isShown(it item, chain *ignore.Chain) bool {
	if chain.Match([]byte(it.name), it.details.Kind).Verdict == ignore.Ignore {
		return false
	}
	isExcluded := slices.ContainsFunc(t.excluded, func(p *pattern.Pattern) bool {
		return pattern.Match(&t.work, p, it.name)
	})
	return !isExcluded && (it.isDir || !t.Has("-d"))
}

// show shows an entry and what is below it.
func (t *tree) show(
	dir string, it item, indent string, isLast bool, level int, chain *ignore.Chain,
) {
	branch, next := "├── ", "│\u00a0\u00a0 "
	if isLast {
		branch, next = "└── ", "    "
	}
	p := join(dir, it.name)
	text := it.name
	if it.target != "" {
		text += " -> " + it.target
	}
	t.c.Out.WriteString(indent + branch + text)
	if it.isDir {
		t.dirs++
	} else {
		t.files++
	}
	if it.details.Kind != workspace.Directory || level >= t.depth {
		t.c.Out.WriteByte('\n')
		return
	}
	if chain != nil {
		inner, err := chain.Enter(it.name, nil)
		if err != nil && !errors.Is(err, fs.ErrPermission) {
			t.c.Fatalf(1, "%s: %s", p, command.Message(err))
		}
		checkRules(inner)
		chain = inner
	}
	_ = t.below(p, indent+next, level+1, chain)
}
