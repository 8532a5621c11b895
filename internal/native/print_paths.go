package native

import (
	"math"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/plain"
	"gander/internal/search"
)

func (r findRequest) print(p *printer, given string) error {
	start, pattern, err := r.start(p.call, given)
	if err != nil {
		return err
	}
	r.options.Pattern = pattern
	return r.printBelow(p, given, start.location, false)
}

func (r listRequest) print(p *printer, given string) error {
	found, err := p.find(given)
	if err != nil {
		return err
	}
	if found.info.Kind != workspace.Directory {
		info, err := found.location.Lstat()
		if err != nil {
			return p.pathError(given, err)
		}
		e := plain.Entry{Path: p.name(found.location), Kind: info.Kind, Info: &info}
		p.out.Entry(e, r.details)
		return nil
	}
	p.out.MarkFound() // an empty directory is a result
	all := findRequest{requestedPage: r.requestedPage}
	all.options = search.FindOptions{Scope: scope(r.ignored), Depth: r.depth}
	return all.printBelow(p, given, found.location, r.details)
}

// printBelow prints the entries below a directory.
func (r findRequest) printBelow(
	p *printer, given string, start workspace.Location, details bool,
) error {
	page := r.pager(math.MaxInt)
	r.options.Totals = &p.totals
	name := p.name(start)
	for e, err := range search.Find(p.ctx, p.workspace, start, r.options) {
		switch {
		case e.Dir == nil:
			return p.pathError(given, err)
		case err != nil:
			p.addUnreadable(below(p.show(start), e.Path()), err)
		}
		if !e.ForError && page.next() {
			p.out.Entry(printedEntry(name, e, details), details)
		}
		if page.isFull() || p.out.Err() != nil {
			break
		}
	}
	return nil
}

// printedEntry returns an entry of a walk below a directory with a name.
func printedEntry(name string, e walk.Entry, details bool) plain.Entry {
	entry := plain.Entry{Path: nameBelow(name, e.Path()), Kind: e.Kind}
	if e.Kind == workspace.Directory {
		entry.Path += "/"
	}
	if details {
		info, err := e.Lstat()
		if err == nil {
			entry.Info = &info
		}
	}
	return entry
}
