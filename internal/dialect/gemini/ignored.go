package gemini

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"gander/internal/engine/ignore"
	"gander/internal/engine/workspace"
)

const (
	// maxIgnoreFile is the largest ignore file that is read, in bytes.
	maxIgnoreFile = 1 << 20
	// maxIgnoreFiles is how much is read of all ignore files for one answer.
	maxIgnoreFiles = 4 << 20
)

// gitDirectory is the name that git keeps to itself.
const gitDirectory = ".git"

// An ignorer judges the entries of one directory by the ignore files. Nil ignores nothing.
type ignorer struct {
	rules *ignore.Dir
	git   bool // the rules are those of a repository
	all   bool // the directory lies in .git
}

// ignorer reads the ignore files that hold for dir: in a repository .git/info/exclude of the root, every .gitignore from
// the root down to dir, and always .geminiignore of the root, which has the last word. Only the first root has any. The
// error is of a file that may well be there and cannot be read now: without it, names would show that it hides.
func (t *ListDirectory) ignorer(ctx context.Context, dir *workspace.Dir, r request) (*ignorer, error) {
	if dir.Root() != 0 {
		return nil, nil
	}
	at := dir.Path()
	if at == "." {
		at = ""
	}
	files := &ignoreFiles{ctx: ctx, workspace: t.workspace, left: maxIgnoreFiles}
	var own []byte
	if r.geminiIgnored {
		own = files.read(".geminiignore")
	}
	var stack *ignore.Stack
	git := false
	if r.gitIgnored {
		var err error
		git, err = t.workspace.HasAncestorEntry(gitDirectory)
		files.note(err)
	}
	if git {
		stack = files.push(stack, "", ".git/info/exclude")
		for _, base := range ancestors(at) {
			stack = files.pushOwn(stack, base)
		}
	}
	if own != nil {
		stack = stack.Push(ignore.Parse(".geminiignore", "", trimLines(own)))
	}
	if files.err != nil || !git && stack == nil {
		return nil, files.err
	}
	within := slices.ContainsFunc(strings.Split(at, "/"), isGitDirectory)
	return &ignorer{rules: stack.InContext(ctx, at), git: git, all: git && within}, nil
}

// isGitDirectory reports whether name is what git keeps to itself, as the file system knows names.
func isGitDirectory(name string) bool { return workspace.SameName(name, gitDirectory) }

// ignores reports whether an entry is ignored.
func (i *ignorer) ignores(name []byte, kind workspace.EntryKind) bool {
	ignored, _ := i.match(name, kind)
	return ignored
}

// match also returns the rule, which is none where git keeps the entry to itself. A symlink is no directory to the rules.
func (i *ignorer) match(name []byte, kind workspace.EntryKind) (ignored bool, m ignore.Match) {
	if i == nil {
		return false, m
	}
	if i.all || i.git && isGitDirectory(string(name)) {
		return true, m
	}
	m = i.rules.Match(string(name), kind == workspace.Directory)
	return m.Verdict == ignore.Ignore, m
}

// ancestors returns the directories from the root, "", down to dir itself.
func ancestors(dir string) []string {
	dirs := []string{""}
	for i := range len(dir) {
		if dir[i] == '/' {
			dirs = append(dirs, dir[:i])
		}
	}
	if dir != "" {
		dirs = append(dirs, dir)
	}
	return dirs
}

// ignoreFiles reads the ignore files of one answer.
type ignoreFiles struct {
	ctx       context.Context
	workspace *workspace.Workspace
	left      int   // bytes that may still be read
	err       error // the first that does not mean that a file counts as absent
}

// note keeps an error that does not mean that a file counts as absent.
func (f *ignoreFiles) note(err error) {
	absent := []error{
		fs.ErrNotExist, fs.ErrPermission, workspace.ErrNotDirectory, workspace.ErrIsDirectory, workspace.ErrNotRegular,
		workspace.ErrLoop, workspace.ErrOutside, syscall.ENAMETOOLONG,
	}
	if f.err == nil && !slices.ContainsFunc(absent, func(target error) bool { return errors.Is(err, target) }) {
		f.err = err
	}
}

// push puts the rules of the file at name, relative to the root, on the stack.
func (f *ignoreFiles) push(stack *ignore.Stack, base, name string) *ignore.Stack {
	data := f.read(name)
	if data == nil {
		return stack
	}
	return stack.Push(ignore.Parse(name, base, data))
}

// pushOwn is push for the .gitignore of base. Like git, it does not follow a symlink there.
func (f *ignoreFiles) pushOwn(stack *ignore.Stack, base string) *ignore.Stack {
	name := path.Join(base, ".gitignore")
	place, err := f.place(name)
	if err != nil {
		return stack
	}
	if info, err := place.Lstat(); err != nil || info.Kind != workspace.Regular {
		f.note(err)
		return stack
	}
	return f.push(stack, base, name)
}

// place is a path relative to the first root.
func (f *ignoreFiles) place(rel string) (workspace.Place, error) {
	return f.workspace.Find("./" + rel)
}

// read returns the content of an ignore file. One that is missing, no regular file, outside or too large is nil, and so is
// any once too much has been read, or the call is over.
func (f *ignoreFiles) read(name string) []byte {
	place, err := f.place(name)
	if err != nil || f.ctx.Err() != nil {
		return nil
	}
	file, err := place.File()
	if err != nil {
		f.note(err)
		return nil
	}
	defer file.Close()
	file.Count(f.ctx)
	most := min(maxIgnoreFile, f.left)
	data, err := io.ReadAll(io.NewSectionReader(file, 0, int64(most)+1))
	if err != nil || len(data) > most {
		f.note(err)
		return nil
	}
	f.left -= len(data)
	return append([]byte{}, data...)
}

// trimLines does to .geminiignore what the original does before it takes lines for patterns: JavaScript's trim, which
// knows the same white space as Unicode but for two characters.
func trimLines(data []byte) []byte {
	lines := bytes.Split(data, []byte("\n"))
	for i, line := range lines {
		lines[i] = bytes.TrimFunc(line, func(r rune) bool { return r == '\ufeff' || unicode.IsSpace(r) && r != '\u0085' })
	}
	return bytes.Join(lines, []byte("\n"))
}
