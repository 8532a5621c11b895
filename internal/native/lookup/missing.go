package lookup

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"
	"time"

	"gander/internal/files/ignore"
	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/native/wording"
	"gander/internal/search"
	"gander/internal/tools/similar"
	"gander/internal/tools/toolerror"
)

// MaxNear is the maximum number of paths that an error suggests.
const MaxNear = 5

// A missingPath is a path that does not exist.
type missingPath struct {
	paths  *Paths
	root   workspace.Location
	parent workspace.Location // the deepest part that exists
	names  []string           // below the parent, in which the first does not exist
	isLink bool               // the first name is a link, which then cannot be followed
}

// missing returns the error for a path argument none of whose readings exists. path is the likely
// one. The error names the deepest part that exists, and similar names there.
func (l *Paths) missing(ctx context.Context, given, path string) error {
	m, err := l.newMissingPath(ctx, path)
	if err != nil {
		return l.PathError(ctx, given, err)
	}
	message := "there is no " + Excerpt(given)
	info, err := m.parent.Stat()
	switch {
	case err != nil:
	case info.Kind != workspace.Directory:
		message += fmt.Sprintf("; %s is %s", l.Show(m.parent), KindNoun(info.Kind))
	case isPattern(m.names):
		message += m.patternClause(ctx)
	default:
		message += m.nearClause(ctx)
	}
	return toolerror.New(fs.ErrNotExist, message)
}

func (l *Paths) newMissingPath(ctx context.Context, p string) (*missingPath, error) {
	wanted, err := l.Locate(ctx, p)
	if err != nil {
		return nil, err
	}
	root, err := l.Locate(ctx, l.Workspace.Roots()[wanted.Root()])
	if err != nil {
		return nil, err
	}
	names := strings.Split(wanted.Path(), "/")
	prefix := func(n int) workspace.Location { return root.Join(path.Join(names[:n]...)) }
	// An existing path has existing parents.
	existing := sort.Search(len(names)-1, func(i int) bool {
		_, err := prefix(i + 1).Stat()
		return err != nil
	})
	m := &missingPath{paths: l, root: root, parent: prefix(existing), names: names[existing:]}
	entry, err := m.parent.Join(m.names[0]).Lstat()
	m.isLink = err == nil && entry.Kind == workspace.Symlink
	return m, nil
}

// below returns the path in results of names below the parent.
func (m *missingPath) below(names string) string { return Below(m.paths.Show(m.parent), names) }

// nearClause returns the clause about paths that the missing one may stand for: those with the same
// name elsewhere below the root, or similar names in the parent.
func (m *missingPath) nearClause(ctx context.Context) string {
	reason := m.reason()
	if m.paths.Terse {
		return reason
	}
	sameName := m.elsewhere(ctx)
	if m.isNested() && len(sameName) > 0 {
		return wording.DidYouMean(sameName)
	}
	alike, err := m.similarNames(ctx)
	switch {
	case m.isLink:
		return reason
	case err != nil:
		return reason + fmt.Sprintf("; %s: %s", m.paths.NameInError(m.parent), toolerror.PathText(err))
	}
	alike = slices.DeleteFunc(alike, func(path string) bool { return slices.Contains(sameName, path) })
	near := append(sameName, alike...)
	if len(near) == 0 {
		return reason + m.searchClause(ctx)
	}
	return reason + wording.DidYouMean(near[:min(len(near), MaxNear)])
}

// reason returns the clause about the first missing name, if that is not the last.
func (m *missingPath) reason() string {
	first := m.below(m.names[0])
	switch {
	case m.isLink:
		return ", because " + first + " is a link that cannot be followed"
	case m.isNested():
		return ", because there is no " + first
	default:
		return ""
	}
}

// isNested reports whether several names are missing, one below the other.
func (m *missingPath) isNested() bool { return len(m.names) > 1 }

// searchClause returns the clause with the calls that show what exists instead.
func (m *missingPath) searchClause(ctx context.Context) string {
	clause := "; " + wording.Tool(ctx, "list_dir") + " " +
		wording.StringArgument(ctx, "path", m.paths.Show(m.parent)) +
		" shows what is there"
	name := m.names[len(m.names)-1]
	if text.Excerpt(name) != name { // a pattern with a part of it would not find it
		return clause
	}
	if search.IsGlob(name) {
		name = globEscaper.Replace(name)
	}
	find := wording.Tool(ctx, "find_files") + " " + wording.StringArgument(ctx, "pattern", name)
	root := m.paths.Show(m.root)
	if root != "." {
		find += " " + wording.StringArgument(ctx, "path", root)
	}
	return clause + ", " + find + " looks everywhere"
}

// globEscaper escapes the characters that a glob without wildcards would not match as they are.
var globEscaper = strings.NewReplacer(`\`, `\\`, "[", `\[`, "{", `\{`, "}", `\}`)

// similarNames returns the paths of names in the parent that are similar to the first missing one.
func (m *missingPath) similarNames(ctx context.Context) (near []string, err error) {
	dir, err := m.parent.Dir()
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	near = similar.Words(ctx, m.names[0], func(yield func(string) bool) {
		err = dir.Names(ctx, func(name []byte, _ workspace.EntryKind) bool {
			return yield(string(name))
		})
	}, MaxNear)
	for i, name := range near {
		near[i] = m.below(name)
	}
	return near, err
}

// isPattern reports whether the names of a missing path are probably a pattern.
func isPattern(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		hasChoice := strings.Contains(name, "{") && strings.Contains(name, ",")
		return hasChoice || strings.ContainsAny(name, "*?")
	})
}

// patternClause returns the clause about a path that is a pattern, with the call that takes it.
func (m *missingPath) patternClause(ctx context.Context) string {
	pattern := strings.Join(m.names, "/")
	if len(m.names) == 1 && m.parent.Path() != "." {
		pattern = "/" + pattern // not at any depth
	}
	directory, shown := "", m.paths.Show(m.parent)
	if shown != "." {
		directory = wording.StringArgument(ctx, "path", shown) + " "
	}
	if m.paths.Tool == "search_text" {
		return ": " + wording.Name(ctx, "path") + " takes no pattern; give " + directory +
			wording.StringArgument(ctx, "glob", Excerpt(pattern))
	}
	return ": " + wording.Name(ctx, "path") + " takes no pattern; " +
		wording.Tool(ctx, "find_files") + " " + directory +
		wording.StringArgument(ctx, "pattern", Excerpt(pattern)) + " finds what matches"
}

// elsewhere returns the paths in all roots that end in the same name: those that have the most
// names at the end in common with the missing path. It returns none if there are too many of them,
// or if the tree is too large to be sure.
func (m *missingPath) elsewhere(ctx context.Context) (near []string) {
	wanted := strings.Split(NameBelow(m.parent.Path(), strings.Join(m.names, "/")), "/")
	name := text.Alike(wanted[len(wanted)-1])
	most := 0
	var found []workspace.Location
	for _, path := range m.paths.Workspace.Roots() {
		root, err := m.paths.Locate(ctx, path)
		if err != nil {
			continue
		}
		see := func(e walk.Entry) {
			if text.Alike(string(e.Name)) != name {
				return
			}
			path := e.Path()
			shared := sharedEnd(wanted, strings.Split(path, "/"))
			if shared > most {
				most, found = shared, nil
			}
			if shared == most && len(found) <= MaxNear {
				found = append(found, root.Join(path))
			}
		}
		isComplete := m.paths.Survey(ctx, root, search.FindOptions{Scope: Scope(false)}, see)
		if !isComplete || len(found) > MaxNear {
			return nil
		}
	}
	for _, at := range found {
		if canOpen(at) {
			near = append(near, m.paths.Show(at))
		}
	}
	return near
}

// sharedEnd returns the number of names at the end that two paths have in common, as people read
// them.
func sharedEnd(a, b []string) (n int) {
	for n < len(a) && n < len(b) && text.Alike(a[len(a)-1-n]) == text.Alike(b[len(b)-1-n]) {
		n++
	}
	return n
}

// canOpen reports whether a location can be opened: it is not denied, and no link to the outside.
func canOpen(at workspace.Location) bool {
	dir, err := at.Dir()
	if err == nil {
		dir.Close()
		return true
	}
	file, err := at.File()
	if err == nil {
		file.Close()
	}
	return err == nil
}

// The surveys of a call together list at most MaxSurveyed entries, where entering a directory
// counts as EnteredCost entries. That takes about 50 ms. Where it takes much longer, they end after
// surveyTime together.
const (
	MaxSurveyed = 50_000
	EnteredCost = 16
	surveyTime  = 500 * time.Millisecond
)

// A surveyWork is the work that the surveys of a call have done so far.
type surveyWork struct {
	Entries int
	time    time.Duration
}

func (w surveyWork) isEnough() bool { return w.Entries > MaxSurveyed || w.time >= surveyTime }

// Survey passes the entries below a directory to see, to find a suggestion for a call without a
// result. complete is false if the survey ends early.
func (l *Paths) Survey(
	ctx context.Context, at workspace.Location, o search.FindOptions, see func(walk.Entry),
) (complete bool) {
	var totals search.Totals
	before, began, entered := l.Surveyed, time.Now(), 0
	o.Order, o.Totals = walk.PreOrder, &totals
	o.Progress = func() bool {
		entered++
		l.Surveyed.Entries = before.Entries + totals.Listed + entered*EnteredCost
		l.Surveyed.time = before.time + time.Since(began)
		return !l.Surveyed.isEnough()
	}
	for e := range search.Find(ctx, l.Workspace, at, o) {
		if e.Dir == nil { // it cannot be read
			return false
		}
		if !e.ForError {
			see(e)
		}
	}
	return !l.Surveyed.isEnough()
}

// IgnoreRules returns git's rules. Every repository has its own.
func IgnoreRules() ignore.Options { return ignore.Options{Git: true, Nested: true} }

// Scope returns the files that a tool looks at below a directory: hidden ones and, if ignored is
// set, also those that git ignores.
func Scope(ignored bool) search.Scope {
	s := search.Scope{Hidden: true}
	if !ignored {
		s.Ignore = IgnoreRules()
	}
	return s
}
