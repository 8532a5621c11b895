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
	"gander/internal/files/text"
	"gander/internal/files/workspace"
)

// A filter decides which entries of one directory the answer shows.
type filter struct {
	ctx        context.Context
	dir        *workspace.Dir
	ignored    *ignore.Chain
	globs      []*pattern.Pattern
	searchable bool // false if the directory may be read but not searched
}

// filter returns the filter for dir. The ignore files are those of git, and .geminiignore of the
// root, which has precedence over them; only the first root has any. If an ignore file that may
// exist cannot be read now, the call fails, because leaving the file out would show the names that
// it hides.
func (t *ListDirectory) filter(ctx context.Context, dir *workspace.Dir, r request) (*filter, error) {
	f := &filter{ctx: ctx, dir: dir, globs: r.globs}
	if dir.Root() == 0 {
		o := ignore.Options{Git: r.gitIgnore}
		if r.geminiIgnore {
			o.Tools = []ignore.ToolFile{{Name: ".geminiignore", Edit: trimLines}}
		}
		var err error
		if f.ignored, err = ignore.Open(ctx, t.workspace, dir, o); err != nil {
			return nil, err
		}
	}
	var err error
	f.searchable, err = dir.Searchable()
	return f, err
}

// shows reports whether an entry is shown, and the kind that it is shown as. Ignore files omit
// entries, then the globs, and then what the original cannot inspect. A symlink is shown as what it
// resolves to, and as a plain name if that is outside the workspace or denied.
func (f *filter) shows(name []byte, kind workspace.EntryKind) (shown, ignored bool, as workspace.EntryKind) {
	switch {
	case f.ignored.Match(name, kind).Verdict == ignore.Ignore:
		return false, true, kind
	case f.excludes(name), !f.searchable:
		return false, false, kind
	case !text.ASCII(name) && !utf8.Valid(name): // text.ASCII is faster and holds for most names
		return false, false, kind // the original inspects an entry by its lossy name
	case kind != workspace.Symlink && kind != workspace.Unknown:
		return true, false, kind
	}
	info, err := f.dir.Stat(string(name))
	if err != nil && !errors.Is(err, workspace.ErrOutside) && !errors.Is(err, workspace.ErrDenied) {
		return false, false, kind
	}
	return true, false, info.Kind
}

// excludes reports whether one of the globs matches the name.
func (f *filter) excludes(name []byte) bool {
	if len(f.globs) == 0 {
		return false
	}
	w := pattern.NewWork(f.ctx)
	whole := strings.ToValidUTF8(string(name), "\ufffd")
	return slices.ContainsFunc(f.globs, func(p *pattern.Pattern) bool { return p.MatchWork(&w, whole) })
}

// trimLines trims each line of .geminiignore as the original does before it takes lines as
// patterns, with JavaScript's trim. That knows the same white space as Unicode, except U+0085, and
// U+FEFF in addition.
func trimLines(data []byte) []byte {
	lines := bytes.Split(data, []byte("\n"))
	for i, line := range lines {
		lines[i] = bytes.TrimFunc(line, func(r rune) bool { return r == '\ufeff' || unicode.IsSpace(r) && r != '\u0085' })
	}
	return bytes.Join(lines, []byte("\n"))
}
