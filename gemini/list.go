package gemini

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"gander/internal/files/ignore"
	"gander/internal/files/names"
	"gander/internal/files/pattern"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/page"
	"gander/tool"
)

// A listing is the visible content of a directory.
type listing struct {
	request
	tool       *listDirectory
	dir        *workspace.Dir
	rules      *ignore.Chain // or nil
	searchable bool          // entries can be inspected

	visible int // number of visible entries
	ignored int // number of entries that ignore files hide
	empty   bool
}

// run reads the directory and writes the result.
func (t *listDirectory) run(ctx context.Context, r request, b tool.Budget) (tool.Result, error) {
	dir, err := t.open(r)
	if err != nil {
		return tool.Result{}, t.newError(err, "scandir", r.path)
	}
	defer dir.Close()
	l := &listing{request: r, tool: t, dir: dir}
	memory := names.NewMemory(ctx)
	defer memory.Release()
	q := names.Query{
		Order:    names.Collation(names.DirectoriesFirst),
		MaxBytes: page.MaxBytes(b),
	}
	var entries names.Sorted
	err = l.openRules(ctx)
	if err == nil {
		entries, err = memory.Sort(q, func(add func([]byte, workspace.EntryKind) bool) error {
			return l.read(ctx, add)
		})
	}
	if err != nil {
		return tool.Result{}, t.newError(err, "scandir", r.path)
	}
	return l.write(&entries, b)
}

// openRules reads the ignore files. Git's and then .geminiignore apply below the first root. An
// error means that an ignore file may exist but is currently unreadable.
func (l *listing) openRules(ctx context.Context) (err error) {
	if l.dir.Root() == 0 {
		o := ignore.Options{Git: l.gitIgnore}
		if l.geminiIgnore {
			o.Tools = []ignore.ToolFile{{Name: ".geminiignore", Edit: trimLines}}
		}
		l.rules, err = ignore.Open(ctx, l.tool.workspace, l.dir, o)
		if err != nil {
			return err
		}
	}
	l.searchable, err = l.dir.Searchable()
	return err
}

// read passes the visible entries to add, and counts the entries.
func (l *listing) read(
	ctx context.Context, add func(name []byte, kind workspace.EntryKind) bool,
) error {
	l.visible, l.ignored, l.empty = 0, 0, true
	err := l.dir.Names(ctx, func(name []byte, kind workspace.EntryKind) bool {
		l.empty = false
		if visible, as := l.shows(ctx, name, kind); visible {
			l.visible++
			return add(name, as)
		}
		return ctx.Err() == nil // matching rules and globs can be slow
	})
	return cmp.Or(err, ctx.Err())
}

// shows reports whether an entry is visible, and returns its kind in the result. It counts entries
// hidden by ignore files. Entries that the original cannot inspect are hidden. A symlink to a
// target outside the workspace or to a denied target is a plain name.
func (l *listing) shows(
	ctx context.Context, name []byte, kind workspace.EntryKind,
) (visible bool, as workspace.EntryKind) {
	switch {
	case l.rules.Match(name, kind).Verdict == ignore.Ignore:
		l.ignored++
		return false, kind
	case !utf8.Valid(name): // the original inspects an entry by its lossy name
		return false, kind
	case !l.searchable, l.excludes(ctx, name):
		return false, kind
	case kind != workspace.Symlink && kind != workspace.Unknown:
		return true, kind
	}
	info, err := l.dir.Stat(ctx, string(name))
	plain := err == nil || errors.Is(err, workspace.ErrOutside) || errors.Is(err, workspace.ErrDenied)
	return plain, info.Kind
}

// excludes reports whether a glob matches the name.
func (l *listing) excludes(ctx context.Context, name []byte) bool {
	if len(l.globs) == 0 {
		return false
	}
	w, whole := pattern.NewWork(ctx), string(name)
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

func (l *listing) write(entries *names.Sorted, b tool.Budget) (tool.Result, error) {
	out, isVerbatim := page.New(b), l.tool.options.VerbatimNames
	path := string(text.Printable([]byte(text.Cut(l.path, maxPath)), isVerbatim))
	display := fmt.Sprintf("Listed %d item(s).", l.visible)
	if l.empty {
		out.Line("Directory " + path + " is empty.")
		display = "Directory is empty."
	} else {
		out.Line("Directory listing for " + path + ":")
	}
	err := entries.Each(func(e names.Item) bool {
		var mark []byte
		if e.Kind == workspace.Directory {
			mark = []byte("[DIR] ")
		}
		return out.Add(mark, text.Printable(e.Name, isVerbatim))
	})
	if err != nil {
		return tool.Result{}, l.tool.newError(err, "scandir", l.path)
	}
	if l.visible == 0 && !l.empty { // the original joins its first line with no entries
		out.Line("")
	}
	if l.ignored > 0 {
		count := fmt.Sprintf("(%d ignored)", l.ignored)
		out.Line("\n" + count)
		display += " " + count
	}
	result, err := out.Finish(func(kept int) string {
		const hint = "%d of %d entries shown; leave some out with ignore, or list a subdirectory"
		return fmt.Sprintf(hint, kept, l.visible)
	})
	if err == nil {
		result.Display = display
	}
	return result, err
}
