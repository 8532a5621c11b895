package gemini

import (
	"bytes"
	"context"
	"io"
	"path"
	"strings"
	"unicode"

	"gander/internal/gitignore"
	"gander/internal/workspace"
)

// maxIgnoreFile is the largest ignore file that is read, in bytes.
const maxIgnoreFile = 1 << 20

// gitDirectory is the name that git keeps to itself.
const gitDirectory = ".git"

// An ignorer judges the entries of one directory by the ignore files. Nil ignores nothing.
type ignorer struct {
	rules *gitignore.Dir
	git   bool // the rules are those of a repository
	all   bool // the directory lies in .git
}

// ignorer reads the ignore files that hold for dir: in a repository .git/info/exclude of the root, every .gitignore from
// the root down to dir, and always .geminiignore of the root, which has the last word. Only the first root has any.
func (t *ListDirectory) ignorer(ctx context.Context, dir *workspace.Dir, r request) *ignorer {
	if dir.Root() != 0 {
		return nil
	}
	at := dir.Path()
	if at == "." {
		at = ""
	}
	var stack *gitignore.Stack
	git := r.gitIgnored && t.workspace.Marked(gitDirectory)
	if git {
		stack = t.push(ctx, stack, "", ".git/info/exclude")
		for _, base := range ancestors(at) {
			stack = t.pushOwn(ctx, stack, base)
		}
	}
	if r.geminiIgnored {
		if data := t.read(ctx, ".geminiignore"); data != nil {
			stack = stack.Push(gitignore.Parse(".geminiignore", "", trimLines(data)))
		}
	}
	if !git && stack == nil {
		return nil
	}
	return &ignorer{rules: stack.In(at), git: git, all: git && strings.Contains("/"+at+"/", "/"+gitDirectory+"/")}
}

// ignores reports whether an entry is ignored. A symlink is no directory to the rules.
func (i *ignorer) ignores(name []byte, kind workspace.Kind) bool {
	if i == nil {
		return false
	}
	if i.all || i.git && string(name) == gitDirectory {
		return true
	}
	return i.rules.Match(string(name), kind == workspace.Directory).Verdict == gitignore.Ignore
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

// push puts the rules of the file at name, relative to the root, on the stack.
func (t *ListDirectory) push(ctx context.Context, stack *gitignore.Stack, base, name string) *gitignore.Stack {
	data := t.read(ctx, name)
	if data == nil {
		return stack
	}
	return stack.Push(gitignore.Parse(name, base, data))
}

// pushOwn is push for the .gitignore of base. Like git, it does not follow a symlink there.
func (t *ListDirectory) pushOwn(ctx context.Context, stack *gitignore.Stack, base string) *gitignore.Stack {
	name := path.Join(base, ".gitignore")
	place, err := t.place(name)
	if err != nil {
		return stack
	}
	if info, err := place.Lstat(); err != nil || info.Kind != workspace.Regular {
		return stack
	}
	return t.push(ctx, stack, base, name)
}

// place is a path relative to the first root.
func (t *ListDirectory) place(rel string) (workspace.Place, error) {
	return t.workspace.Find("./" + rel)
}

// read returns the content of an ignore file. One that is missing, no regular file, outside or too large is nil.
func (t *ListDirectory) read(ctx context.Context, name string) []byte {
	place, err := t.place(name)
	if err != nil {
		return nil
	}
	f, err := place.File()
	if err != nil {
		return nil
	}
	defer f.Close()
	f.Count(ctx)
	data, err := io.ReadAll(io.NewSectionReader(f, 0, maxIgnoreFile+1))
	if err != nil || len(data) > maxIgnoreFile {
		return nil
	}
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
