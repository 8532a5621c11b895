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

const (
	findLimit = 200
	// maxFound is more than a walk yields in its time.
	maxFound = 1 << 30
)

// A findRequest has the checked arguments of a call of find_files.
type findRequest struct {
	path          string
	options       search.FindOptions
	noun          string // for the results, in the singular
	offset, limit int
}

// parseFindRequest decodes and checks the arguments.
func (f *files) parseFindRequest(
	ctx context.Context, raw json.RawMessage,
) (r findRequest, err error) {
	a := decodeArguments(raw)
	r.options.Pattern = a.get("pattern glob query name glob_pattern").String("")
	r.options.Pattern = workspace.SlashGlob(r.options.Pattern)
	r.path = a.get(pathNames).String("")
	kind := a.get("kind type").Choice("any", "file", "directory")
	sort := a.get("sort sort_by order").Choice("path", "modified")
	r.options.Scope = scope(a.get("ignored include_ignored no_ignore").Bool(false))
	r.offset = a.get("offset").Int(1, 1, math.MaxInt)
	limit := a.get("limit max_results maxResults head_limit head")
	r.limit = limit.Int(findLimit, 1, math.MaxInt)
	if err := a.err(); err != nil {
		return r, err
	}
	switch r.noun = "path"; kind {
	case "file":
		r.noun, r.options.Kinds = "file", []workspace.EntryKind{workspace.Regular}
	case "directory":
		r.noun, r.options.Kinds = "directory", []workspace.EntryKind{workspace.Directory}
	}
	if sort == "modified" {
		r.options.Order = walk.NewestFirst
	}
	r.cutRoot(f.workspace.Roots())
	if r.offset < maxFound && r.limit < maxFound {
		r.options.Limit = r.offset + r.limit // one more than the page, to know whether there are more
	}
	err = r.options.Check(ctx)
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil {
		return r, shared.BadArguments("%v", err)
	}
	return r, nil
}

// cutRoot turns a pattern that is an absolute path into a path and a pattern relative to it.
func (r *findRequest) cutRoot(roots []string) {
	r.options.Pattern = strings.TrimPrefix(r.options.Pattern, "./")
	for _, root := range roots {
		prefix := strings.TrimSuffix(filepath.ToSlash(root), "/") + "/"
		rest, ok := strings.CutPrefix(r.options.Pattern, prefix)
		if !ok || r.path != "" || rest == "" {
			continue
		}
		if r.path, r.options.Pattern = root, rest; search.IsGlob(rest) {
			r.options.Pattern = "/" + rest
		}
		return
	}
}

// findFiles runs find_files.
func (f *files) findFiles(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := f.parseFindRequest(ctx, c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	return f.run(ctx, c.Budget, r.path, func(c *call, path string) (section, error) {
		return c.writeFound(r, path)
	})
}

// A find is a search for files while its page is written.
type find struct {
	request findRequest
	scan    *scan
	items   *items
	seen    int
	more    bool
}

// writeFound writes the section about what is found below a path.
func (c *call) writeFound(r findRequest, given string) (section, error) {
	s, err := c.newScan(given)
	if err != nil {
		return section{}, err
	}
	if s.start.info.Kind != workspace.Directory {
		message := `%s is a file; path must be a directory, such as "%s"`
		message = fmt.Sprintf(message, s.base, path.Dir(s.base))
		return section{}, shared.NewError(workspace.ErrNotDirectory, message)
	}
	f := &find{request: r, scan: s, items: &items{budget: c.budget}}
	f.request.options.Totals = &s.totals
	if err := f.walk(); err != nil {
		return section{}, c.pathError(given, err)
	}
	return f.write()
}

// walk adds the paths of the page.
func (f *find) walk() error {
	c, start := f.scan.call, f.scan.start.location
	for e, err := range search.Find(c.ctx, c.workspace, start, f.request.options) {
		switch {
		case e.Dir == nil:
			return err
		case err != nil:
			f.scan.skip(e.Path(), err)
			continue
		}
		if f.seen++; f.seen < f.request.offset {
			continue
		}
		shown := f.scan.shown(e.Path())
		if e.Kind == workspace.Directory {
			shown += "/"
		}
		f.more = f.seen-f.request.offset >= f.request.limit || !f.items.add([]byte(notMarker(shown)))
		if f.more {
			return nil
		}
	}
	return nil
}

func (f *find) write() (section, error) {
	order := ""
	if f.request.options.Order == walk.NewestFirst {
		order = ", newest first"
		if f.more { // all of them are known
			f.seen, f.more = max(f.seen, f.scan.totals.Listed), false
		}
	}
	if f.seen < f.request.offset {
		return f.scan.nothing(f.none()+f.scan.notes(false), f.seen)
	}
	p := page{
		scan: f.scan, noun: f.request.noun, first: f.request.offset, seen: f.seen, more: f.more,
		order: order,
	}
	return p.finish(f.items, func(p page) string {
		return p.heading() + f.scan.notes(p.continues() && order == "")
	})
}

// none returns the heading if nothing is found, with a hint if the pattern may have been meant in
// another way.
func (f *find) none() string {
	noun, base, pattern := f.request.noun, f.scan.base, cutQuoted(f.request.options.Pattern)
	switch {
	case f.seen > 0:
		return nothingMore(noun, f.seen, f.request.offset)
	case pattern == "":
		return fmt.Sprintf("no %s below %s", noun, base)
	}
	text := fmt.Sprintf("no %s below %s matches %q", noun, base, pattern)
	if !search.IsGlob(pattern) {
		return text
	}
	inner, rooted := strings.CutPrefix(pattern, "/")
	nested := strings.Contains(strings.TrimSuffix(pattern, "/"), "/")
	if rooted || nested && !strings.HasPrefix(pattern, "**/") {
		text += fmt.Sprintf("; %q matches at any depth", "**/"+inner)
	}
	if strings.Contains(pattern, "[") {
		text += `; write \[ for the character [`
	}
	return text
}
