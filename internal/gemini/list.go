package gemini

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"gander/internal/dialect"
	"gander/internal/text"
	"gander/internal/workspace"
	"gander/tool"
)

// A listing is the entries of one directory that are shown.
type listing struct {
	items    []item
	keep     int // the most items that an answer can hold; 0: any number
	shown    int // how many items there are, those not kept included
	ignored  int
	empty    bool // the directory has no entries at all
	verbatim bool
	collator *text.Collator
}

type item struct {
	name      string
	directory bool
}

// list reads a directory: ignore files, then the globs, then what the entry leads to.
func (t *ListDirectory) list(ctx context.Context, dir *workspace.Dir, r request, b tool.Budget) (*listing, error) {
	l := &listing{empty: true, verbatim: t.settings.VerbatimNames, collator: text.NewCollator()}
	if limit, limited := b.Limit(); limited {
		l.keep = limit/2 + 1 // a line is one byte and its end, at least
	}
	ignorer := t.ignorer(dir, r)
	_, err := dir.Lstat(".")
	opaque := err != nil
	err = dir.Names(ctx, func(name []byte, kind workspace.Kind) bool {
		l.empty = false
		switch entry := string(name); {
		case ignorer.ignores(entry, kind):
			l.ignored++
		case r.excludes(entry) || opaque || !utf8.ValidString(entry):
			// The original inspects an entry by its lossy name, and leaves out what it cannot inspect.
		default:
			l.add(dir, entry, kind)
		}
		return true
	})
	l.sort()
	return l, err
}

// excludes reports whether one of the globs leaves the entry out.
func (r request) excludes(name string) bool {
	if len(r.globs) == 0 {
		return false
	}
	units := utf16.Encode([]rune(name))
	return slices.ContainsFunc(r.globs, func(g glob) bool { return g.match(units) })
}

// add adds an entry. A symlink is what it leads to; one that leads outside is a plain name, and one that leads nowhere is
// left out.
func (l *listing) add(dir *workspace.Dir, name string, kind workspace.Kind) {
	if kind == workspace.Symlink || kind == workspace.Unknown {
		info, err := dir.Stat(name)
		if err != nil && dialect.KindOf(err) != tool.Outside && dialect.KindOf(err) != tool.Denied {
			return
		}
		kind = info.Kind
	}
	l.shown++
	l.items = append(l.items, item{name, kind == workspace.Directory})
	if l.keep > 0 && len(l.items) >= 2*l.keep {
		l.sort()
	}
}

// sort orders the items (directories first, then as in en-US, then by raw bytes) and drops what no answer can hold.
func (l *listing) sort() {
	slices.SortFunc(l.items, func(a, b item) int {
		if a.directory != b.directory {
			if a.directory {
				return -1
			}
			return 1
		}
		if n := l.collator.Compare(a.name, b.name); n != 0 {
			return n
		}
		return strings.Compare(a.name, b.name)
	})
	if l.keep > 0 && len(l.items) > l.keep {
		l.items = l.items[:l.keep]
	}
}

// render writes the answer.
func (l *listing) render(path string, b tool.Budget) (tool.Result, error) {
	page, err := dialect.NewPage(b)
	if err != nil {
		return tool.Result{}, err
	}
	display := fmt.Sprintf("Listed %d item(s).", l.shown)
	if l.empty {
		page.Head("Directory " + path + " is empty.")
		display = "Directory is empty."
	} else {
		page.Head("Directory listing for " + path + ":")
	}
	for _, i := range l.items {
		if !page.Add([]byte(l.line(i))) {
			break
		}
	}
	if l.shown == 0 && !l.empty {
		page.Tail("")
	}
	if l.ignored > 0 {
		count := fmt.Sprintf("(%d ignored)", l.ignored)
		page.Tail("")
		page.Tail(count)
		display += " " + count
	}
	cut := false
	content, ok := page.Finish(func(kept int) string {
		cut = true
		return dialect.Cut(b, fmt.Sprintf("%d of %d entries shown; leave some out with ignore, or list a subdirectory", kept, l.shown))
	})
	if !ok {
		return tool.Result{}, dialect.TooSmall(b)
	}
	return tool.Result{Content: content, Display: display, Truncated: cut}, nil
}

func (l *listing) line(i item) string {
	name := i.name
	if !l.verbatim {
		name = text.Escape(name)
	}
	if i.directory {
		return "[DIR] " + name
	}
	return name
}
