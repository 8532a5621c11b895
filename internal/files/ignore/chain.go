// Package ignore determines which entries of a workspace are ignored by git's ignore files and by
// the ignore files of other tools, which have the same syntax.
//
// [Open] returns a [Chain], the rules for the entries of one directory. [Chain.Enter] returns the
// rules for a subdirectory, and reads its ignore files through the workspace.
//
// The rules follow the manual of gitignore, git's wildmatch and git check-ignore --no-index of git
// 2.39.
package ignore

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"gander/internal/files/pattern"
	"gander/internal/files/workspace"
)

// Options specifies the ignore files of a [Chain].
type Options struct {
	// Git applies git's files if the root or a directory above it has an entry called .git: in
	// ascending precedence .git/info/exclude of the root, and the .gitignore of every directory
	// from the root down. Git's directory .git is then ignored everywhere. core.ignorecase and
	// core.excludesFile have no effect.
	Git bool
	// Tools are the ignore files of other tools, in ascending precedence. They have precedence over
	// git's files, regardless of their directories.
	Tools []ToolFile
	// Named includes the directory of the Chain and the directories entered from there, even if a
	// rule ignores them or one of their parents.
	Named bool
	// Nested makes every directory with an entry called .git a separate repository, as in ripgrep:
	// git's files apply there even if the root is in no repository, but those above it do not.
	Nested bool
	// OpenGit treats git's directory .git like any other, as in ripgrep.
	OpenGit bool
}

// A ToolFile is an ignore file of a tool other than git.
type ToolFile struct {
	// Name is the name of the file. A symlink is followed within the workspace.
	Name string
	// EveryDirectory reads the file in every directory, instead of only in the root.
	EveryDirectory bool
	// Edit, if not nil, changes the content of the file before it is parsed.
	Edit func([]byte) []byte
}

const gitDirectory = ".git"

// A Chain holds the rules of all ignore files that apply to the entries of one directory. A nil
// Chain ignores nothing. A Chain is not safe for concurrent use; different Chains are.
//
// Matching stops once the context of [Open] is done. Verdicts are then unreliable, so callers check
// the context before they use them.
type Chain struct {
	reader  *reader
	files   []*File  // in ascending precedence; shared with other chains
	unused  []string // see [Chain.Unused]
	left    int      // maximum size of further ignore files in bytes
	inRepo  bool     // the directory is in a repository
	inGit   bool     // the directory is git's, or in it
	ignored Match    // the rule that ignores the directory or one above it
	path    []byte   // the path of the directory, which ends in a slash; names are written after it
	work    pattern.Work
}

// Open returns the Chain for the entries of dir, after reading the ignore files from dir's root
// down to dir.
//
// An ignore file counts as absent if it is not a regular file or cannot be reached or read. It has
// no rules if it would increase the total size of the files for one directory to more than 512 KiB;
// see [Chain.Unused]. Open fails if a file that may exist cannot be read for another reason,
// because without it the files that it hides would be shown.
func Open(
	ctx context.Context, w *workspace.Workspace, dir *workspace.Dir, o Options,
) (*Chain, error) {
	root, err := w.Find(ctx, w.Resolved()[dir.Root()])
	if err != nil {
		return nil, err
	}
	r := &reader{ctx: ctx, workspace: w, root: root, o: o}
	c := &Chain{reader: r, left: maxTotal, work: pattern.NewWork(ctx)}
	if o.Git {
		c.inRepo, err = w.HasAncestorEntry(ctx, dir.Root(), gitDirectory)
		if unlessAbsent(err) != nil {
			return nil, err
		}
	}
	mayBeInRepo := c.inRepo || o.Git && o.Nested
	r.hidesGit = mayBeInRepo && !o.OpenGit
	err = c.read(folder{}, c.inRepo)
	if err != nil || dir.Path() == "." {
		return c, err
	}
	for name := range strings.SplitSeq(dir.Path(), "/") {
		unused := c.unused
		c, err = c.Enter(name, nil)
		if err != nil {
			return nil, err
		}
		c.unused = slices.Concat(unused, c.unused)
		if o.Named {
			c.inGit = false
		}
	}
	return c, nil
}

// Enter returns the Chain for the entries of the subdirectory called name, after reading its ignore
// files. It fails as [Open] does. dir is the open subdirectory; if nil, files are found by path.
func (c *Chain) Enter(name string, dir *workspace.Dir) (*Chain, error) {
	if c == nil {
		return nil, nil
	}
	sub := &Chain{
		reader: c.reader, files: c.files, left: c.left, inRepo: c.inRepo,
		inGit: c.inGit || c.isGit([]byte(name)), ignored: c.ignored,
		work: pattern.NewWork(c.reader.ctx),
	}
	sub.path = append(append(bytes.Clone(c.path), name...), '/')
	if !c.reader.o.Named {
		if m := c.evaluate([]byte(name), true); m.Verdict == Ignore {
			sub.ignored = m
		}
		if sub.inGit || sub.ignored.Verdict == Ignore {
			return sub, nil // no further rule can include an entry
		}
	}
	in := folder{path: strings.TrimSuffix(string(sub.path), "/"), dir: dir}
	isRepo, err := c.reader.isRepository(in)
	if err != nil {
		return nil, err
	}
	if isRepo {
		sub.inRepo = true
		isGits := func(f *File) bool { return f.rank == 0 }
		sub.files = slices.DeleteFunc(slices.Clone(sub.files), isGits)
	}
	return sub, sub.read(in, isRepo)
}

// Match returns the verdict on an entry of the directory, by the last rule that matches it. An
// entry of an ignored directory is ignored by the rule for the uppermost ignored directory. A
// symlink is not a directory. The Match of git's directory and its entries has no rule. Match does
// not allocate unless name is longer than all names before.
func (c *Chain) Match(name []byte, kind workspace.EntryKind) Match {
	if c == nil {
		return Match{}
	}
	if c.inGit || c.isGit(name) {
		return Match{Verdict: Ignore}
	}
	return c.evaluate(name, kind == workspace.Directory)
}

// evaluate is Match without the exception for git's directory.
func (c *Chain) evaluate(name []byte, isDir bool) Match {
	if c.ignored.Verdict == Ignore {
		return c.ignored
	}
	if len(c.files) == 0 {
		return Match{}
	}
	at := len(c.path)
	full := append(c.path, name...)
	c.path = full[:at]
	for _, f := range slices.Backward(c.files) {
		if m := f.match(&c.work, full, at, isDir); m.Verdict != None {
			return m
		}
	}
	return Match{}
}

// isGit reports whether name is the name of git's directory on this platform.
func (c *Chain) isGit(name []byte) bool {
	isSimilar := len(name) == len(gitDirectory) && bytes.EqualFold(name, []byte(gitDirectory))
	return isSimilar && c.reader.hidesGit && workspace.SameName(string(name), gitDirectory)
}

// read reads the ignore files of the directory, which may be the top of a repository.
func (c *Chain) read(in folder, isRepo bool) error {
	var sources []source
	if isRepo {
		shared, err := c.reader.sharedExclude(in)
		if err != nil {
			return err
		}
		exclude := ToolFile{Name: gitDirectory + "/info/exclude"}
		sources = append(sources, source{ToolFile: exclude, at: shared})
	}
	if c.inRepo { // git follows no symlink
		sources = append(sources, source{ToolFile: ToolFile{Name: ".gitignore"}, noFollow: true})
	}
	for i, t := range c.reader.o.Tools {
		if len(c.path) == 0 || t.EveryDirectory {
			sources = append(sources, source{ToolFile: t, rank: i + 1})
		}
	}
	for _, s := range sources {
		if err := c.readFile(in, s); err != nil {
			return err
		}
	}
	return nil
}

// readFile adds the rules of an ignore file of a folder, unless they are too long.
func (c *Chain) readFile(in folder, s source) error {
	data, err := c.reader.read(in, s, c.left)
	if err != nil || data == nil {
		return err
	}
	name := path.Join(in.path, s.Name)
	size := len(data) + lineSize*bytes.Count(data, []byte("\n"))
	if size > c.left {
		c.unused = append(c.unused, name)
		return nil
	}
	c.left -= size
	if err := c.reader.reserve(c.left); err != nil {
		return err
	}
	if s.Edit != nil {
		data = s.Edit(data)
	}
	f := parse(name, in.path, string(data))
	f.rank = s.rank
	if f.tooLong > 0 {
		c.unused = append(c.unused, fmt.Sprintf("%s:%d", name, f.tooLong))
	}
	c.push(f)
	return nil
}

// Unused returns the ignore files of the directory, and as FILE:LINE the lines in them, that are
// too long to apply. For a Chain that [Open] returns, it includes those of the directories above.
func (c *Chain) Unused() []string {
	if c == nil {
		return nil
	}
	return c.unused
}

// push adds an ignore file with precedence over files of the same or a lower rank.
func (c *Chain) push(f *File) {
	if len(f.names)+len(f.globs) == 0 {
		return
	}
	at := len(c.files)
	for at > 0 && c.files[at-1].rank > f.rank {
		at--
	}
	c.files = slices.Insert(slices.Clip(c.files), at, f)
}
