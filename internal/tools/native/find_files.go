package native

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"strings"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/tools/shared"
	"gander/tool"
)

// findFiles is gander/find_files.
type findFiles struct{ *files }

const findLimit = 200

// A findRequest is the arguments of a call, complete and valid.
type findRequest struct {
	path string
	search.FindOptions
	what          string // one of what is found
	offset, limit int
}

// request decodes and checks the arguments.
func (t *findFiles) request(raw json.RawMessage) (r findRequest, err error) {
	a := decodeArguments(raw)
	r.Pattern = a.get("pattern glob query name glob_pattern").String("")
	r.path = a.get(pathNames).String("")
	kind := a.get("kind type").Choice("any", "file", "directory")
	sort := a.get("sort sort_by order").Choice("path", "modified")
	r.Scope = scope(a.get("ignored include_ignored no_ignore").Bool(false))
	r.offset = a.get("offset").Int(1, 1, math.MaxInt)
	r.limit = a.get("limit max_results maxResults head_limit head").Int(findLimit, 1, math.MaxInt)
	if err := a.err(); err != nil {
		return r, err
	}
	switch r.what = "path"; kind {
	case "file":
		r.what, r.Kinds = "file", []workspace.EntryKind{workspace.Regular}
	case "directory":
		r.what, r.Kinds = "directory", []workspace.EntryKind{workspace.Directory}
	}
	if sort == "modified" {
		r.Order = walk.NewestFirst
	}
	r.pattern(t.workspace.Roots())
	if err := r.Check(); err != nil {
		return r, shared.BadArguments("%v", err)
	}
	return r, nil
}

// pattern makes a pattern that is written as a path relative to one that is below the start.
func (r *findRequest) pattern(roots []string) {
	r.Pattern = strings.TrimPrefix(r.Pattern, "./")
	for _, root := range roots {
		rest, ok := strings.CutPrefix(r.Pattern, strings.TrimSuffix(filepath.ToSlash(root), "/")+"/")
		if !ok || r.path != "" || rest == "" {
			continue
		}
		if r.path, r.Pattern = root, rest; search.IsGlob(rest) {
			r.Pattern = "/" + rest
		}
		return
	}
}

// Call finds files.
func (t *findFiles) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.request(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	s, err := t.scan(r.path, c.Budget)
	if err != nil {
		return tool.Result{}, err
	}
	if s.start.info.Kind != workspace.Directory {
		return tool.Result{}, shared.NewError(workspace.ErrNotDirectory, fmt.Sprintf(`%s is a file; path must be a directory, such as "%s"`, s.base, path.Dir(s.base)))
	}
	f := &finding{findRequest: r, scan: s, answer: &answer{budget: s.budget}}
	f.Totals = &s.totals
	if f.offset < math.MaxInt-f.limit {
		f.Limit = f.offset + f.limit // one more than the page has, to find out whether there are more
	}
	if err := f.walk(ctx); err != nil {
		return tool.Result{}, t.pathError(r.path, err)
	}
	return f.finish()
}

// A finding is a search for files while its answer is made.
type finding struct {
	findRequest
	*scan
	answer *answer
	seen   int
	more   bool
}

// walk adds the paths of the page to the answer.
func (f *finding) walk(ctx context.Context) error {
	for e, err := range search.Find(ctx, f.workspace, f.start.place, f.FindOptions) {
		switch {
		case e.Dir == nil:
			return err
		case err != nil:
			f.skip(e.Path(), err)
			continue
		}
		if f.seen++; f.seen < f.offset {
			continue
		}
		mark := ""
		if e.Kind == workspace.Directory {
			mark = "/"
		}
		if f.more = f.seen-f.offset >= f.limit || !f.answer.add([]byte(notNote(f.shown(e.Path())+mark))); f.more {
			return nil
		}
	}
	return nil
}

// finish writes the heading and the end.
func (f *finding) finish() (tool.Result, error) {
	order := ""
	if f.Order == walk.NewestFirst {
		order = ", newest first"
		if f.more { // all of them are known
			f.seen, f.more = max(f.seen, int(f.totals.Listed.Load())), false
		}
	}
	if f.seen < f.offset {
		return f.nothing(f.none()+f.notes(false), f.seen)
	}
	part := extent{what: f.what, first: f.offset, seen: f.seen, more: f.more, order: order}
	return part.finish(f.answer, func(e extent) (heading, end string) {
		return e.heading() + f.notes(e.continues() && order == ""), e.end()
	})
}

// none says that nothing is found, and how to find something if the pattern may be meant in another way.
func (f *finding) none() string {
	switch {
	case f.seen > 0:
		return nothingMore(f.what, f.seen, f.offset)
	case f.Pattern == "":
		return fmt.Sprintf("no %s below %s", f.what, f.base)
	}
	text := fmt.Sprintf("no %s below %s matches %q", f.what, f.base, f.Pattern)
	if !search.IsGlob(f.Pattern) {
		return text
	}
	if inner, ok := strings.CutPrefix(f.Pattern, "/"); ok || strings.Contains(strings.TrimSuffix(f.Pattern, "/"), "/") && !strings.HasPrefix(f.Pattern, "**/") {
		text += fmt.Sprintf("; %q matches at any depth", "**/"+inner)
	}
	if strings.Contains(f.Pattern, "[") {
		text += `; write \[ for the character [`
	}
	return text
}
