// Package ignore tells which entries of a workspace ignore files hide: git's, judged as git judges them, and those of
// other tools in the same syntax.
//
// [Open] returns a [Chain], the rules for the entries of one directory; [Chain.Enter] takes a walk down from there, and
// reads the ignore files of each directory through the workspace. [Parse], [Stack] and [Dir] do the same for rules that are
// already in memory.
//
// Sources: the manual of gitignore, git's wildmatch, and `git check-ignore --no-index` of git 2.39, which the tests ask.
package ignore

import (
	"bytes"
	"context"
	"strings"

	"gander/internal/engine/workspace"
)

// Options choose the ignore files that a [Chain] follows.
type Options struct {
	// Git makes git's files count where the root, or a directory above it, has an entry called .git. These are, in
	// ascending precedence, Global, .git/info/exclude of the root, and the .gitignore of every directory from the root
	// down. Git's own directory .git is then ignored as well, wherever it lies, with all that is in it.
	Git bool
	// Global holds the rules of git's global excludes file (core.excludesFile), or nil. That file lies outside the
	// workspace, so this package never reads it; a caller that the user has told to use it parses it with base "".
	Global *File
	// Tools are the ignore files of other tools, in ascending precedence. All have precedence over git's, no matter in
	// which directories the files lie.
	Tools []ToolFile
	// FoldCase makes the rules ignore the case of ASCII letters, as git does with core.ignorecase.
	FoldCase bool
}

// A ToolFile is an ignore file of a tool other than git.
type ToolFile struct {
	// Name is the file's name. A symlink of that name is followed while it stays inside the workspace.
	Name string
	// EveryDirectory says that every directory may have such a file, whose rules hold below it. Otherwise only that of the
	// root counts.
	EveryDirectory bool
	// Edit, unless nil, changes the content of the file before it is parsed.
	Edit func([]byte) []byte
}

const gitDirectory = ".git"

// A Chain judges the entries of one directory of a workspace by all ignore files that hold there. A nil Chain ignores
// nothing. A Chain is not safe for concurrent use, but different ones are.
type Chain struct {
	reader *reader
	rules  *Dir
	left   int  // bytes that ignore files further down may still have
	inGit  bool // the directory is git's own, or lies in it
}

// Open returns the Chain for the entries of dir, after reading the ignore files from dir's root down to dir.
//
// An ignore file counts as absent if it is not a regular file, cannot be reached or may not be read, is larger than 1 MiB,
// or would bring the files that hold for one directory above 4 MiB. Open fails if a file that may exist cannot be read for
// another reason, because leaving it out would show what it hides.
func Open(ctx context.Context, w *workspace.Workspace, dir *workspace.Dir, o Options) (*Chain, error) {
	r := &reader{ctx: ctx, workspace: w, root: w.Resolved()[dir.Root()], fold: o.FoldCase}
	for i, t := range o.Tools {
		r.sources = append(r.sources, source{ToolFile: t, rank: i + 1})
	}
	var stack *Stack
	if o.Git {
		marked, err := w.HasAncestorEntry(dir.Root(), gitDirectory)
		if err != nil && !countsAsAbsent(err) {
			return nil, err
		}
		if r.git = marked; marked {
			r.sources = append(r.sources, source{ToolFile: ToolFile{Name: gitDirectory + "/info/exclude"}}, source{
				ToolFile: ToolFile{Name: ".gitignore", EveryDirectory: true}, noFollow: true, // as git, which does not follow either
			})
			stack = stack.Push(o.Global)
		}
	}
	c := &Chain{reader: r, rules: stack.In(ctx, ""), left: maxTotal}
	err := c.read(nil, "")
	if err != nil {
		return nil, err
	}
	if dir.Path() == "." {
		return c, nil
	}
	for name := range strings.SplitSeq(dir.Path(), "/") {
		if c, err = c.Enter(name, nil); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Enter returns the Chain for the entries of the subdirectory called name, after reading its ignore files. Its errors are
// those of [Open]. If dir is that subdirectory, opened, they are read there; if it is nil, they are looked up by path.
func (c *Chain) Enter(name string, dir *workspace.Dir) (*Chain, error) {
	if c == nil {
		return nil, nil
	}
	sub := &Chain{reader: c.reader, rules: c.rules.Enter(name), left: c.left, inGit: c.inGit || c.isGit([]byte(name))}
	if sub.inGit || sub.rules.ignored.Verdict == Ignore {
		return sub, nil // no rule further down takes back what lies here
	}
	if err := sub.read(dir, strings.TrimSuffix(string(sub.rules.path), "/")); err != nil {
		return nil, err
	}
	return sub, nil
}

// Match judges an entry of the directory. A symlink is not a directory to the rules, whatever it leads to. What is ignored
// for being git's own directory, or for lying in it, has a Match with no Source.
func (c *Chain) Match(name []byte, kind workspace.EntryKind) Match {
	if c == nil {
		return Match{}
	}
	if c.inGit || c.isGit(name) {
		return Match{Verdict: Ignore}
	}
	return c.rules.judge(append(c.rules.path, name...), kind == workspace.Directory)
}

// isGit reports whether name is that of git's own directory, as the file systems of this platform compare names.
func (c *Chain) isGit(name []byte) bool {
	return c.reader.git && bytes.EqualFold(name, []byte(gitDirectory)) && workspace.SameName(string(name), gitDirectory)
}

// read reads the ignore files of the directory at. See [Chain.Enter] about dir.
func (c *Chain) read(dir *workspace.Dir, at string) error {
	for _, s := range c.reader.sources {
		if at != "" && !s.EveryDirectory {
			continue
		}
		f, size, err := c.reader.read(dir, at, s, c.left)
		if err != nil {
			return err
		}
		c.left -= size
		c.rules.Push(f)
	}
	return nil
}
