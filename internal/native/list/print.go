package list

import (
	"math"

	"gander/internal/files/workspace"
	"gander/internal/native/lookup"
	"gander/internal/native/printing"
	"gander/internal/plain"
	"gander/internal/search"
)

func (r request) Print(p *printing.Printer, given string) error {
	found, err := p.Paths.Find(given)
	if err != nil {
		return err
	}
	if found.Info.Kind != workspace.Directory {
		info, err := found.Location.Lstat()
		if err != nil {
			return p.Paths.PathError(given, err)
		}
		e := plain.Entry{Path: p.Name(found.Location), Kind: info.Kind, Info: &info}
		p.Out.Entry(e, r.details)
		return nil
	}
	p.Out.MarkFound() // an empty directory is a result
	options := search.FindOptions{Scope: lookup.Scope(r.ignored)}
	options.Depth = r.depth
	return printing.Below(p, given, found.Location, options, r.Pager(math.MaxInt), r.details)
}
