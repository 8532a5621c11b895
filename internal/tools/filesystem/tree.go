package filesystem

import (
	"context"
	"math"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/tools/filesystem/minimatch"
	"gander/internal/tools/shared"
	"gander/tool"
)

// directoryTree answers directory_tree (section 6).
func (t *Tool) directoryTree(ctx context.Context, c tool.Call) (tool.Result, error) {
	a, err := t.arguments(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	path, exclude := a.string("path"), a.strings("excludePatterns", false)
	if err := a.err(); err != nil {
		return tool.Result{}, err
	}
	result, _, err := t.tree(ctx, path, newTreePatterns(exclude), c.Budget, "")
	return result, err
}

// tree lists a tree. It reports whether the answer contains the entry at the path wanted, relative to the requested directory.
func (t *Tool) tree(ctx context.Context, path string, exclude *patterns, b tool.Budget, wanted string) (tool.Result, bool, error) {
	dir, at, err := t.openDir(ctx, path)
	if err != nil {
		return tool.Result{}, false, err
	}
	defer dir.Close()
	limit, limited := b.Limit()
	if !limited && len(exclude.list) == 0 && wanted == "" { // nothing ends it early
		json, err := wholeTree(ctx, dir)
		if err != nil {
			return tool.Result{}, false, newError(err, "scandir", at.path)
		}
		return tool.Result{Parts: tool.Text(json), Exact: true}, false, nil
	}
	d := document{json: []byte("["), limited: limited}
	position := 0
	o := walk.Options{Depth: math.MaxInt, MaxBytes: limit}
	if len(exclude.list) > 0 {
		o.Filter = func(dir *walk.Directory, name []byte, _ workspace.EntryKind) walk.Decision {
			if ctx.Err() == nil && exclude.match(relativePath(dir, name)) {
				return walk.Omit
			}
			return walk.Show
		}
	}
	for e, err := range walk.Entries(ctx, dir, o) {
		if e.Dir == nil {
			return tool.Result{}, false, newError(err, "scandir", at.path)
		}
		if exclude.err != nil {
			break
		}
		failure := ""
		if err != nil {
			failure = shared.ErrorText(err)
		}
		d.add(e.Name, e.Kind, e.Depth(), failure)
		if wanted != "" && position == 0 && e.Path() == wanted {
			position = d.count
		}
		if limited && len(d.json) > limit {
			break
		}
	}
	if exclude.err != nil {
		return tool.Result{}, false, shared.BadArguments("%s", exclude.err.Error())
	}
	result, shown, err := d.finish(b)
	return result, 0 < position && position <= shown, err
}

// relativePath returns the path of an entry, as well-formed UTF-8.
func relativePath(dir *walk.Directory, name []byte) string {
	return text.WellFormed(walk.Entry{Name: name, Dir: dir}.Path())
}

// patterns are patterns of which one must match. They are compiled when they are first tried, as in the original, where one that
// is wrong does no harm before.
type patterns struct {
	list []*lazyPattern
	err  error // of the first that was tried and is wrong
}

type lazyPattern struct {
	text     string
	compiled *minimatch.Pattern
}

// newPatterns returns patterns that are matched as they are.
func newPatterns(list ...string) *patterns {
	p := new(patterns)
	for _, s := range list {
		p.list = append(p.list, &lazyPattern{text: s})
	}
	return p
}

// newTreePatterns returns the patterns of directory_tree: one without a star is also tried at any depth, and with what is below.
func newTreePatterns(list []string) *patterns {
	var all []string
	for _, s := range list {
		if all = append(all, s); !strings.Contains(s, "*") {
			all = append(all, "**/"+s, "**/"+s+"/**")
		}
	}
	return newPatterns(all...)
}

// match reports whether one of the patterns matches. After an error it reports false.
func (p *patterns) match(path string) bool {
	for _, l := range p.list {
		if p.err != nil {
			return false
		}
		if l.compiled == nil {
			if l.compiled, p.err = minimatch.Compile(l.text); p.err != nil {
				return false
			}
		}
		if l.compiled.Match(path) {
			return true
		}
	}
	return false
}

// treeListing describes directory_tree.
func (t *Tool) treeListing(path string) (shared.Listing, error) {
	l, err := t.plainListing(path)
	l.Depth, l.DepthRule = math.MaxInt, ""
	l.Contains = func(ctx context.Context, rel string, b tool.Budget) (bool, error) {
		_, contains, err := t.tree(ctx, path, newPatterns(), b, rel)
		return contains, err
	}
	return l, err
}
