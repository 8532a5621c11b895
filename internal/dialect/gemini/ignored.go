package gemini

import (
	"bytes"
	"context"
	"unicode"

	"gander/internal/engine/ignore"
	"gander/internal/engine/workspace"
)

// gitDirectory is git's own directory, which is always ignored in a repository.
const gitDirectory = ".git"

// An ignorer judges the entries of one directory by the ignore files. Nil ignores nothing.
type ignorer struct{ chain *ignore.Chain }

// ignorer reads the ignore files that hold for dir: those of git, and .geminiignore of the root, which has precedence over
// them. Only the first root has any. It fails if a file that may exist cannot be read now, because leaving it out would
// show the names that it hides.
func (t *ListDirectory) ignorer(ctx context.Context, dir *workspace.Dir, r request) (*ignorer, error) {
	if dir.Root() != 0 {
		return nil, nil
	}
	o := ignore.Options{Git: r.gitIgnored}
	if r.geminiIgnored {
		o.Tools = []ignore.ToolFile{{Name: ".geminiignore", Edit: trimLines}}
	}
	chain, err := ignore.Open(ctx, t.workspace, dir, o)
	return &ignorer{chain}, err
}

// ignores reports whether an entry is ignored.
func (i *ignorer) ignores(name []byte, kind workspace.EntryKind) bool {
	ignored, _ := i.match(name, kind)
	return ignored
}

// match also returns the rule that decides, which has no Source for git's own directory.
func (i *ignorer) match(name []byte, kind workspace.EntryKind) (ignored bool, m ignore.Match) {
	if i == nil {
		return false, m
	}
	m = i.chain.Match(name, kind)
	return m.Verdict == ignore.Ignore, m
}

// trimLines trims each line of .geminiignore as the original does before it takes lines as patterns, with JavaScript's
// trim. That knows the same white space as Unicode, except U+0085, and U+FEFF in addition.
func trimLines(data []byte) []byte {
	lines := bytes.Split(data, []byte("\n"))
	for i, line := range lines {
		lines[i] = bytes.TrimFunc(line, func(r rune) bool { return r == '\ufeff' || unicode.IsSpace(r) && r != '\u0085' })
	}
	return bytes.Join(lines, []byte("\n"))
}
