package gemini

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gander/internal/files/ignore"
	"gander/internal/files/pattern"
	"gander/internal/files/workspace"
)

// newContents returns the contents without entries. Git's ignore files and then .geminiignore apply
// below the first root. An error means that an ignore file may exist but is currently unreadable.
func (t *ListDirectory) newContents(
	ctx context.Context, dir *workspace.Dir, r request,
) (l *contents, err error) {
	l = &contents{tool: t, ctx: ctx, dir: dir, globs: r.globs}
	if dir.Root() == 0 {
		o := ignore.Options{Git: r.gitIgnore}
		if r.geminiIgnore {
			o.Tools = []ignore.ToolFile{{Name: ".geminiignore", Edit: trimLines}}
		}
		if l.rules, err = ignore.Open(ctx, t.workspace, dir, o); err != nil {
			return nil, err
		}
	}
	l.searchable, err = dir.Searchable()
	return l, err
}

// shows reports whether an entry is visible, and returns its kind in the result. It counts entries
// hidden by ignore files. Entries that the original cannot inspect are hidden. A symlink to a
// target outside the workspace or to a denied target is a plain name.
func (l *contents) shows(
	name []byte, kind workspace.EntryKind,
) (shown bool, as workspace.EntryKind) {
	switch {
	case l.rules.Match(name, kind).Verdict == ignore.Ignore:
		l.ignored++
		return false, kind
	case l.excludes(name), !l.searchable:
		return false, kind
	case !utf8.Valid(name): // the original inspects an entry by its lossy name
		return false, kind
	case kind != workspace.Symlink && kind != workspace.Unknown:
		return true, kind
	}
	info, err := l.dir.Stat(string(name))
	plain := err == nil || errors.Is(err, workspace.ErrOutside) || errors.Is(err, workspace.ErrDenied)
	return plain, info.Kind
}

// excludes reports whether a glob matches the name.
func (l *contents) excludes(name []byte) bool {
	if len(l.globs) == 0 {
		return false
	}
	w := pattern.NewWork(l.ctx)
	whole := strings.ToValidUTF8(string(name), "\ufffd")
	return slices.ContainsFunc(l.globs, func(p *pattern.Pattern) bool {
		return pattern.Match(&w, p, whole)
	})
}

// trimLines trims the lines of .geminiignore like JavaScript's trim, whose white space is Unicode's
// without U+0085 and with U+FEFF.
func trimLines(data []byte) []byte {
	lines := bytes.Split(data, []byte("\n"))
	for i, line := range lines {
		lines[i] = bytes.TrimFunc(line, func(r rune) bool {
			return r == '\ufeff' || unicode.IsSpace(r) && r != '\u0085'
		})
	}
	return bytes.Join(lines, []byte("\n"))
}
