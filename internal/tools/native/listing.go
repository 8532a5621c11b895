package native

import (
	"gander/internal/files/ignore"
	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
)

// A listing is a directory or a tree. It is read breadth first until the limit or the budget is
// reached.
type listing struct {
	call     *call
	request  listRequest
	location workspace.Location

	folders []*folder // in reading order; the first is the listed directory
	count   int       // entries read
	left    int       // entries up to the limit
	size    size      // of the lines of the entries read, without headings and markers

	memory *names.Memory // of the names
	list   names.List    // of the last pass, unless it is cached
}

// A folder is a directory of a listing.
type folder struct {
	parent *folder
	name   string
	path   string // relative to the listed directory, which is "."
	depth  int    // 0 for the listed directory
	dir    *workspace.Dir
	chain  *ignore.Chain

	read    bool
	err     error   // why it cannot be read
	first   int     // the number of entries of the listing before its own
	skipped int     // the number of entries before the first of entries
	entries []entry // as many as were read
	total   int     // the number of its entries, without those that git ignores
	ignored int     // the number of entries that git ignores, without .git
	git     bool    // it has an omitted .git
}

// emptyText returns the description of a folder without entries.
func (f *folder) emptyText() string {
	if f.git {
		return "empty but for .git"
	}
	return "empty"
}

// join returns the path of an entry, relative to the listed directory.
func (f *folder) join(name string) string {
	if f.depth == 0 {
		return name
	}
	return f.path + "/" + name
}

// An entry is an entry of a folder.
type entry struct {
	name    string
	kind    workspace.EntryKind
	folder  *folder // nil unless it is a directory that the listing may enter
	link    string  // the target of a link in results, if it is shown
	details string  // if requested
}

// read reads folders until the limit or the budget is reached.
func (l *listing) read() error {
	l.folders = []*folder{{path: "."}}
	defer func() {
		for _, f := range l.folders {
			if f.dir != nil {
				f.dir.Close()
			}
		}
	}()
	l.memory = names.NewMemory(l.call.ctx)
	defer l.memory.Release()
	for i := 0; i < len(l.folders) && l.left > 0 && l.call.budget.fits(l.size); i++ {
		f := l.folders[i]
		if i > 0 {
			if last := l.folders[i-1].parent; last != nil && last != f.parent {
				last.dir.Release()
			}
		}
		if f.err = l.open(f); f.err == nil {
			f.err = l.readFolder(f)
		}
		if err := l.call.ctx.Err(); err != nil {
			return err
		}
		if f.dir != nil {
			f.dir.Release()
		}
	}
	return l.folders[0].err
}

// open opens a folder, and reads git's rules for it unless ignored entries are included.
func (l *listing) open(f *folder) (err error) {
	if f.parent != nil {
		if f.dir, err = f.parent.dir.Open(f.name); err == nil {
			f.chain, err = f.parent.chain.Enter(f.name, f.dir)
		}
		return err
	}
	if f.dir, err = l.location.Dir(); err == nil && !l.request.ignored {
		rules := ignoreRules()
		rules.Named = true
		f.chain, err = ignore.Open(l.call.ctx, l.call.workspace, f.dir, rules)
	}
	return err
}

// readFolder reads the entries of an open folder that fit, and counts the others.
func (l *listing) readFolder(f *folder) error {
	f.first = l.count
	skip := 0
	if f.depth == 0 {
		skip = l.request.offset - 1
	}
	left := skip
	var order names.Order
	var after *names.Bound
	for {
		list, err := l.pass(f, after, left)
		if err != nil {
			return err
		}
		f.read = true
		i := min(left, list.Len())
		left -= i
		for ; i < list.Len(); i++ {
			if !l.add(f, list.At(i)) {
				f.skipped = skip
				return nil
			}
		}
		if !list.More() {
			f.skipped = skip - left
			return nil
		}
		last := list.At(list.Len() - 1)
		after = order.Bound(last.Name, last.Kind)
	}
}

const (
	// minCached is the minimum number of names of a directory with a cached order.
	minCached = 4096
	// expectedLine is the expected size of the line of an entry, in bytes.
	expectedLine = 8
)

// A cachedPass is the cached pass over a directory without rules of git.
type cachedPass struct {
	list           names.List
	total, ignored int
}

// pass reads a folder once, for the names after a bound. It returns at least one of them, and more
// than skip if the folder has that many. The first pass counts the entries of the folder.
func (l *listing) pass(f *folder, after *names.Bound, skip int) (names.List, error) {
	const unlimited = 1 << 28
	minimum := l.call.budget.minimum()
	page := min(l.left, minimum/expectedLine+1, unlimited)
	q := names.Query{Limit: page, After: after, MaxBytes: minimum, Memory: l.memory}
	if skip > 0 {
		q.Limit, q.MaxBytes = 2*min(skip, unlimited)+page, 0 // the next pages need no further pass
	}
	part := 0
	if f.chain != nil {
		part = 1 // .git is omitted
	}
	cacheable := after == nil && !f.chain.HasRules()
	cached, err := f.dir.CacheEntry("gander/list_dir", part)
	if err != nil {
		return names.List{}, err
	}
	c, ok := cached.Value().(cachedPass)
	if ok && cacheable && (!c.list.More() || c.list.Len() >= skip+page) {
		f.total, f.ignored = c.total, c.ignored
		return c.list, nil
	}
	var top names.TopK
	top.Reset(l.call.ctx, q, l.list)
	l.list = names.List{}
	err = f.dir.Names(l.call.ctx, func(name []byte, kind workspace.EntryKind) bool {
		ignored := f.chain.Match(name, kind).Verdict == ignore.Ignore
		switch {
		case ignored && string(name) == ".git":
			f.git = true
		case ignored && after == nil:
			f.ignored++
		case !ignored && after == nil:
			f.total++
		}
		return ignored || top.Add(name, kind)
	})
	if err != nil {
		return names.List{}, err
	}
	list, err := top.List()
	switch {
	case err != nil:
		return names.List{}, err
	case cacheable && f.total >= minCached:
		l.memory.Forget(list)
		cached.Store(cachedPass{list, f.total, f.ignored}, list.Bytes())
	default:
		l.list = list
	}
	return list, nil
}

// add adds an entry to a folder. It reports false if the entry does not fit.
func (l *listing) add(f *folder, item names.Item) bool {
	if l.left == 0 || !l.call.budget.fits(l.size) {
		return false
	}
	e := entry{name: string(item.Name), kind: item.Kind}
	rel := f.join(e.name)
	switch {
	case e.kind == workspace.Directory && f.depth+1 < l.request.depth:
		e.folder = &folder{parent: f, name: e.name, path: rel, depth: f.depth + 1}
		l.folders = append(l.folders, e.folder)
	case e.kind == workspace.Symlink:
		e.link = l.call.linkTarget(l.location.Join(rel), f.dir.Root(), f.dir.Path())
	}
	if l.request.details {
		info, err := f.dir.Lstat(e.name)
		e.details = details(info, err)
	}
	f.entries = append(f.entries, e)
	l.count++
	l.left--
	indent := 2*f.depth + 1
	l.size = l.size.plus(sizeOf(text.EscapePath(e.name))).plus(sizeOf(e.details))
	l.size = l.size.plus(size{indent, indent})
	return true
}
