// Package ignore tells which entries of a workspace ignore files hide: git's, judged as git judges
// them, and those of other tools in the same syntax.
//
// [Open] returns a [Chain], the rules for the entries of one directory; [Chain.Enter] takes a walk
// down from there, and reads the ignore files of each directory through the workspace.
//
// Sources: the manual of gitignore, git's wildmatch, and `git check-ignore --no-index` of git 2.39,
// which the tests ask.
package ignore

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"gander/internal/files/pattern"
	"gander/internal/files/workspace"
)

// Options choose the ignore files that a [Chain] follows.
type Options struct {
	// Git makes git's files count where the root, or a directory above it, has an entry called
	// .git. These are, in ascending precedence, Global, .git/info/exclude of the root, and the
	// .gitignore of every directory from the root down. Git's own directory .git is then ignored as
	// well, wherever it lies, with all that is in it. The setting core.ignorecase does not count.
	Git bool
	// Global holds the rules of git's global excludes file (core.excludesFile), or nil. That file
	// lies outside the workspace, so this package never reads it; a caller that the user has told
	// to use it parses it with base "".
	Global *File
	// Tools are the ignore files of other tools, in ascending precedence. All have precedence over
	// git's, no matter in which directories the files lie.
	Tools []ToolFile
	// Named says that the directory for which the Chain is opened, and those that are entered from
	// there, were chosen whatever the rules say: that rules ignore such a directory, or one above
	// it, does not make them ignore what lies in it.
	Named bool
	// Nested makes every directory that has an entry called .git a repository of its own, as in
	// ripgrep: git's files in the directories above it do not hold there, and those in it do, even
	// if the root lies in no repository.
	Nested bool
	// OpenGit takes away what is special about git's own directory .git, as in ripgrep.
	OpenGit bool
}

// A ToolFile is an ignore file of a tool other than git.
type ToolFile struct {
	// Name is the file's name. A symlink of that name is followed while it stays inside the
	// workspace.
	Name string
	// EveryDirectory says that every directory may have such a file, whose rules hold below it.
	// Otherwise only that of the root counts.
	EveryDirectory bool
	// Edit, unless nil, changes the content of the file before it is parsed.
	Edit func([]byte) []byte
}

const gitDirectory = ".git"

// A Chain judges the entries of one directory of a workspace by all ignore files that hold there. A
// nil Chain ignores nothing. A Chain is not safe for concurrent use, but different ones are.
//
// Hostile rules take long to match. Once the context of [Open] is done they are given up, and the
// verdicts are then unreliable: check it before using them.
type Chain struct {
	reader  *reader
	files   []*File // in ascending precedence; shared with other chains
	left    int     // bytes that ignore files further down may still have
	inRepo  bool    // the directory lies in a repository
	inGit   bool    // the directory is git's own, or lies in it
	ignored Match   // the rule that ignores the directory or one above it
	path    []byte  // of the directory, ending in a slash; names are written after it
	work    pattern.Work
}

func newChain(r *reader) *Chain {
	return &Chain{reader: r, left: maxTotal, work: pattern.NewWork(r.ctx)}
}

// Open returns the Chain for the entries of dir, after reading the ignore files from dir's root
// down to dir.
//
// An ignore file counts as absent if it is not a regular file, cannot be reached or may not be
// read, is larger than 1 MiB, or would bring the files that hold for one directory above 4 MiB.
// Open fails if a file that may exist cannot be read for another reason, because leaving it out
// would show what it hides.
func Open(ctx context.Context, w *workspace.Workspace, dir *workspace.Dir, o Options) (*Chain, error) {
	r := &reader{ctx: ctx, workspace: w, root: w.Resolved()[dir.Root()], o: o}
	c := newChain(r)
	if o.Git {
		var err error
		c.inRepo, err = w.HasAncestorEntry(dir.Root(), gitDirectory)
		if err != nil && !countsAsAbsent(err) {
			return nil, err
		}
	}
	r.hidesGit = !o.OpenGit && (c.inRepo || o.Git && o.Nested)
	if c.inRepo {
		c.push(o.Global)
	}
	err := c.read(nil, c.inRepo)
	if err != nil || dir.Path() == "." {
		return c, err
	}
	for name := range strings.SplitSeq(dir.Path(), "/") {
		if c, err = c.Enter(name, nil); err != nil {
			return nil, err
		}
		if o.Named {
			c.inGit = false
		}
	}
	return c, nil
}

// Enter returns the Chain for the entries of the subdirectory called name, after reading its ignore
// files. Its errors are those of [Open]. If dir is that subdirectory, opened, they are read there;
// if it is nil, they are looked up by path.
func (c *Chain) Enter(name string, dir *workspace.Dir) (*Chain, error) {
	if c == nil {
		return nil, nil
	}
	sub := &Chain{reader: c.reader, files: c.files, left: c.left, inRepo: c.inRepo, inGit: c.inGit || c.isGit([]byte(name)), ignored: c.ignored, work: c.work}
	sub.path = append(append(bytes.Clone(c.path), name...), '/')
	if !c.reader.o.Named {
		if m := c.judge([]byte(name), true); m.Verdict == Ignore {
			sub.ignored = m
		}
		if sub.inGit || sub.ignored.Verdict == Ignore {
			return sub, nil // no rule further down takes back what lies here
		}
	}
	isRepo, err := c.reader.isRepository(dir, sub.at())
	if err != nil {
		return nil, err
	}
	if isRepo {
		sub.inRepo = true
		sub.files = slices.DeleteFunc(slices.Clone(sub.files), func(f *File) bool { return f.rank == 0 && f != c.reader.o.Global })
		if !c.inRepo {
			sub.push(c.reader.o.Global)
		}
	}
	return sub, sub.read(dir, isRepo)
}

// HasRules reports whether anything but a name can make the Chain ignore an entry: that of git's
// own directory is ignored without a rule.
func (c *Chain) HasRules() bool {
	return c != nil && (len(c.files) > 0 || c.inGit || c.ignored.Verdict == Ignore)
}

// Match judges an entry of the directory, by the last rule that matches it. What lies in an ignored
// directory is ignored, by the rule that ignores the uppermost such directory. A symlink is not a
// directory to the rules, whatever it leads to. What is ignored for being git's own directory, or
// for lying in it, has a Match with no Source. Match does not allocate, unless name is longer than
// all names before.
func (c *Chain) Match(name []byte, kind workspace.EntryKind) Match {
	if c == nil {
		return Match{}
	}
	if c.inGit || c.isGit(name) {
		return Match{Verdict: Ignore}
	}
	return c.judge(name, kind == workspace.Directory)
}

// judge is Match without git's own directory.
func (c *Chain) judge(name []byte, isDir bool) Match {
	if c.ignored.Verdict == Ignore {
		return c.ignored
	}
	if len(c.files) == 0 {
		return Match{}
	}
	at := len(c.path)
	path := append(c.path, name...)
	c.path = path[:at]
	for _, f := range slices.Backward(c.files) {
		if m := f.match(&c.work, path, at, isDir); m.Verdict != None {
			return m
		}
	}
	return Match{}
}

// isGit reports whether name is that of git's own directory, as the file systems of this platform
// compare names.
func (c *Chain) isGit(name []byte) bool {
	return c.reader.hidesGit && bytes.EqualFold(name, []byte(gitDirectory)) && workspace.SameName(string(name), gitDirectory)
}

// at returns the path of the directory, "" for the root.
func (c *Chain) at() string { return strings.TrimSuffix(string(c.path), "/") }

// read reads the ignore files of the directory, which may be the top of a repository. See
// [Chain.Enter] about dir.
func (c *Chain) read(dir *workspace.Dir, isRepo bool) error {
	if isRepo {
		if err := c.readFile(nil, source{ToolFile: ToolFile{Name: gitDirectory + "/info/exclude"}}); err != nil {
			return err
		}
	}
	if c.inRepo {
		s := source{ToolFile: ToolFile{Name: ".gitignore"}, noFollow: true} // as git, which does not follow either
		if err := c.readFile(dir, s); err != nil {
			return err
		}
	}
	for i, t := range c.reader.o.Tools {
		if len(c.path) > 0 && !t.EveryDirectory {
			continue
		}
		if err := c.readFile(dir, source{ToolFile: t, rank: i + 1}); err != nil {
			return err
		}
	}
	return nil
}

func (c *Chain) readFile(dir *workspace.Dir, s source) error {
	f, size, err := c.reader.read(dir, c.at(), s, c.left)
	if err == nil {
		c.left -= size
		c.push(f)
	}
	return err
}

// push gives an ignore file precedence over those so far whose rank is not higher.
func (c *Chain) push(f *File) {
	if f == nil || len(f.rules) == 0 {
		return
	}
	at := len(c.files)
	for at > 0 && c.files[at-1].rank > f.rank {
		at--
	}
	c.files = slices.Insert(slices.Clip(c.files), at, f)
}
