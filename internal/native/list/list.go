// Package list implements list_dir.
package list

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"math"
	"path"
	"strings"

	"gander/internal/files/ignore"
	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/native/call"
	"gander/internal/native/lookup"
	"gander/internal/native/section"
)

// A request is the arguments of list_dir.
type request struct {
	call.Page
	depth            int
	details, ignored bool
}

//go:embed definition.json
var definition string

// Tool returns list_dir.
func Tool(e *call.Environment) *call.Tool { return call.New(e, definition, parse) }

func parse(ctx context.Context, a *call.Arguments) (call.Request, call.PathArgument, error) {
	paths := a.DecodePaths()
	depth := a.Get("depth", "max_depth", "levels")
	r := request{
		depth:   depth.Int(1, 1, math.MaxInt),
		details: a.Get("details", "long").Bool(false),
		ignored: a.DecodeIgnored(),
		Page:    a.DecodePage("max_entries"),
	}
	if a.Alias("recursive").Bool(false) && !depth.Given() {
		r.depth = math.MaxInt
	}
	return r, paths, a.Check(ctx)
}

func (r request) Section(
	ctx context.Context, c *call.Call, b section.Budget, given string,
) (section.Section, error) {
	found, err := c.Paths.Find(ctx, given)
	if err != nil {
		return section.Section{}, err
	}
	if found.Info.Kind != workspace.Directory {
		return descriptionSection(ctx, c.Paths, found), nil
	}
	return listingSection(ctx, c, b, r, found)
}

// A listing is a directory or a tree. It is read breadth first until the limit or the budget is
// reached, and then written with as many entries as fit.
type listing struct {
	call     *call.Call
	budget   section.Budget
	request  request // with a limit
	location workspace.Location
	shown    string // its path in the result
	alike    string // the clause about its path as given, or ""

	folders    []*folder    // in reading order; the first is the listed directory
	entryCount int          // the number of entries read
	size       section.Size // the size of the lines of the entries read, without headings and markers

	rules     *ignore.Chain // for the listed directory
	entered   *folder       // the last one that enter was called for
	inEntered *ignore.Chain

	unused      []string // the first ignore files and lines that are too long
	unusedCount int      // all of them
}

// A folder is a directory of a listing.
type folder struct {
	parent *folder
	path   string         // relative to the listed directory, which is "."
	depth  int            // 0 for the listed directory
	dir    *workspace.Dir // nil before it is read
	chain  *ignore.Chain  // nil before and after

	err     error   // why it cannot be read
	before  int     // the number of entries of the listing before its own
	entries []entry // as many as were read
	total   int     // the number of its entries, without those that match git's ignore rules
	ignored int     // the number of entries that match git's ignore rules, but .git
	empty   string  // describes it if it has no entries
}

// An entry is an entry of a folder. It has no path: there can be many, and a path can have 4 KiB.
type entry struct {
	name   string
	line   string // in the result, without the state of a directory
	isDir  bool
	folder *folder // nil unless the listing may enter it
}

// Page returns the section with a page of the entries of a directory.
func Page(
	ctx context.Context, c *call.Call, b section.Budget, page call.Page, at lookup.Target,
) (section.Section, error) {
	return listingSection(ctx, c, b, request{depth: 1, Page: page}, at)
}

func listingSection(
	ctx context.Context, c *call.Call, b section.Budget, r request, found lookup.Target,
) (section.Section, error) {
	r.Limit = cmp.Or(r.Limit, math.MaxInt)
	at := found.Location
	l := &listing{call: c, budget: b, request: r, location: at, shown: c.Paths.Show(at)}
	l.alike = found.AlikeClause()
	if err := l.read(ctx); err != nil {
		return section.Section{}, lookup.FileError(c.Paths.NameInError(at), err)
	}
	return b.Largest(l.entryCount, func(n int) section.Section { return l.section(ctx, n) }), nil
}

// read reads the folders one after the other, each of which finds those below it.
//
// Few handles are open at a time. readFolder releases that of a folder once its names are read. The
// first folder in it opens it again when its turn comes. It stays open for the others in it, which
// are adjacent in reading order, and is released before the first folder elsewhere.
func (l *listing) read(ctx context.Context) error {
	l.folders = []*folder{{path: "."}}
	defer func() {
		for _, f := range l.folders {
			if f.dir != nil {
				f.dir.Close()
			}
		}
	}()
	for i := 0; i < len(l.folders) && !l.isFull(); i++ {
		f := l.folders[i]
		above := l.folders[max(i-1, 0)].parent
		if above != nil && above != f.parent {
			above.dir.Release()
		}
		f.err = l.readFolder(ctx, f)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return l.folders[0].err
}

func (l *listing) isFull() bool {
	return l.entryCount == l.request.Limit || !l.budget.Fits(l.size)
}

func (l *listing) open(ctx context.Context, f *folder) (err error) {
	if f.parent != nil {
		name := path.Base(f.path)
		f.dir, err = f.parent.dir.Open(name)
		if err == nil {
			f.chain, err = l.enter(f.parent)
		}
		if err == nil {
			f.chain, err = f.chain.Enter(name, f.dir)
			l.addUnused(f.chain)
		}
		return err
	}
	f.dir, err = l.location.Dir()
	if err == nil && !l.request.ignored {
		rules := lookup.IgnoreRules()
		rules.Named = true
		f.chain, err = ignore.Open(ctx, l.call.Workspace, f.dir, rules)
		l.rules = f.chain
		l.addUnused(f.chain)
	}
	return err
}

// enter returns the rules for the entries of a folder that was read before. They are read again:
// those of all folders together could take too much memory. The folders in it follow each other.
func (l *listing) enter(f *folder) (chain *ignore.Chain, err error) {
	if l.entered == f {
		return l.inEntered, nil
	}
	chain = l.rules
	for name := range strings.SplitSeq(f.path, "/") {
		if err == nil && name != "." {
			chain, err = chain.Enter(name, nil)
		}
	}
	l.entered, l.inEntered = f, chain
	return chain, err
}

func (l *listing) addUnused(c *ignore.Chain) {
	const named = 3
	unused := c.Unused()
	l.unusedCount += len(unused)
	l.unused = append(l.unused, unused[:min(len(unused), named-len(l.unused))]...)
}

// readFolder reads the entries of a folder that fit, and counts all.
func (l *listing) readFolder(ctx context.Context, f *folder) error {
	err := l.open(ctx, f)
	defer func() { f.chain = nil }()
	if f.dir != nil {
		defer f.dir.Release()
	}
	if err != nil {
		return err
	}
	memory := names.NewMemory(ctx)
	defer memory.Release()
	skip := 0
	if f.depth == 0 {
		skip = l.request.Offset - 1
	}
	f.before = l.entryCount
	const expectedLine = 8 // bytes
	fitting := min(l.request.Limit-l.entryCount, l.budget.Minimum()/expectedLine)
	query := names.Query{Limit: skip + min(fitting, math.MaxInt-skip-1) + 1}
	if skip == 0 {
		query.MaxBytes = l.budget.Minimum()
	}
	sorted, err := memory.Sort(query, func(add func([]byte, workspace.EntryKind) bool) error {
		return f.passNames(ctx, add)
	})
	if err != nil {
		return err
	}
	return sorted.Each(func(item names.Item) bool {
		if skip > 0 {
			skip--
			return true
		}
		return l.add(ctx, f, string(item.Name), item.Kind)
	})
}

// passNames passes the entries that are not ignored to pass, and counts all.
func (f *folder) passNames(
	ctx context.Context, pass func(name []byte, kind workspace.EntryKind) bool,
) error {
	f.total, f.ignored, f.empty = 0, 0, "empty" // because a large directory is read twice
	return f.dir.Names(ctx, func(name []byte, kind workspace.EntryKind) bool {
		switch {
		case f.chain.Match(name, kind).Verdict != ignore.Ignore:
			f.total++
			return pass(name, kind)
		case string(name) == ".git":
			f.empty = "empty but for .git"
		default:
			f.ignored++
		}
		return true
	})
}

// add adds an entry to a folder. It reports false if the entry does not fit.
func (l *listing) add(ctx context.Context, f *folder, name string, kind workspace.EntryKind) bool {
	if l.isFull() {
		return false
	}
	e := entry{name: name, line: l.line(ctx, f, name, kind), isDir: kind == workspace.Directory}
	if e.isDir && f.depth+1 < l.request.depth {
		e.folder = &folder{parent: f, path: path.Join(f.path, name), depth: f.depth + 1}
		l.folders = append(l.folders, e.folder)
	}
	f.entries = append(f.entries, e)
	l.entryCount++
	l.size = l.size.Plus(section.LineSize(e.line))
	return true
}

// line returns the line of an entry, without the state of a directory.
func (l *listing) line(
	ctx context.Context, f *folder, name string, kind workspace.EntryKind,
) string {
	shown, columns := text.EscapePath(name), ""
	if l.request.details {
		columns = details(ctx, f.dir, name)
	}
	if kind != workspace.Directory {
		shown = lookup.EscapeMarker(shown)
	}
	switch kind {
	case workspace.Directory:
		shown += "/"
	case workspace.Symlink:
		shown += "@"
		to := linkTarget(l.call.Paths, l.location.Join(path.Join(f.path, name)))
		if to != "" {
			columns += "\t-> " + to
		}
	case workspace.Other:
		shown += "?"
		columns += "\t" + lookup.SpecialFile
	}
	isEntered := kind == workspace.Directory && f.depth+1 < l.request.depth // which says it
	if denied := f.dir.CheckDenied(name); denied != nil && !isEntered {
		columns += "\t" + denied.Error()
	}
	// The target of a link can end in ].
	return strings.Repeat("  ", f.depth) + lookup.EscapeMarker(shown+columns)
}

// section returns the section with the first n entries in reading order.
func (l *listing) section(ctx context.Context, n int) section.Section {
	t := l.text(ctx, n)
	s := section.Section{Heading: t.heading(ctx), Truncated: t.cut, Items: len(t.lines)}
	s.Body = strings.Join(t.lines, "\n")
	s.Markers = strings.Join(t.markers(ctx), "\n")
	for _, f := range l.folders {
		failed := f.err != nil && !errors.Is(f.err, workspace.ErrDenied)
		s.Unreadable = s.Unreadable || failed
	}
	return s
}
