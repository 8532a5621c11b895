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

// A filter selects the visible entries of a directory.
type filter struct {
	ctx        context.Context
	dir        *workspace.Dir
	ignored    *ignore.Chain
	globs      []*pattern.Pattern
	searchable bool // entries can be inspected
}

// filter returns the filter for dir. Git's ignore files and then .geminiignore apply below the
// first root. An error means that an ignore file may exist but cannot be read at present.
func (t *ListDirectory) filter(
	ctx context.Context, dir *workspace.Dir, r request,
) (f *filter, err error) {
	f = &filter{ctx: ctx, dir: dir, globs: r.globs}
	if dir.Root() == 0 {
		o := ignore.Options{Git: r.gitIgnore}
		if r.geminiIgnore {
			o.Tools = []ignore.ToolFile{{Name: ".geminiignore", Edit: trimLines}}
		}
		if f.ignored, err = ignore.Open(ctx, t.workspace, dir, o); err != nil {
			return nil, err
		}
	}
	f.searchable, err = dir.Searchable()
	return f, err
}

// shows reports whether an entry is shown, whether ignore files hide it, and its resolved kind.
// Entries that the original cannot inspect are hidden. A symlink to a target outside the workspace
// or a denied target is a plain name.
func (f *filter) shows(
	name []byte, kind workspace.EntryKind,
) (shown, ignored bool, as workspace.EntryKind) {
	switch {
	case f.ignored.Match(name, kind).Verdict == ignore.Ignore:
		return false, true, kind
	case f.excludes(name), !f.searchable:
		return false, false, kind
	case !utf8.Valid(name): // the original inspects an entry by its lossy name
		return false, false, kind
	case kind != workspace.Symlink && kind != workspace.Unknown:
		return true, false, kind
	}
	info, err := f.dir.Stat(string(name))
	if err != nil && !errors.Is(err, workspace.ErrOutside) && !errors.Is(err, workspace.ErrDenied) {
		return false, false, kind
	}
	return true, false, info.Kind
}

// excludes reports whether a glob matches the name.
func (f *filter) excludes(name []byte) bool {
	if len(f.globs) == 0 {
		return false
	}
	w := pattern.NewWork(f.ctx)
	whole := strings.ToValidUTF8(string(name), "\ufffd")
	return slices.ContainsFunc(f.globs, func(p *pattern.Pattern) bool {
		return p.MatchWork(&w, whole)
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
