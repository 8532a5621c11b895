// Package printing prints what gander's own tools find for other programs, as commands do in a
// pipe.
package printing

import (
	"context"
	"encoding/json"
	"strings"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/native/call"
	"gander/internal/native/lookup"
	"gander/internal/native/results"
	"gander/internal/native/section"
	"gander/internal/plain"
	"gander/internal/search"
)

// A Printer prints the results of a call for another program.
type Printer struct {
	*call.Call
	Out   *plain.Output
	Notes []string
	results.Omissions
}

// A Tool is a tool whose requests are printed.
type Tool struct{ *call.Tool }

// A Request is a request that prints the results about a path for another program.
type Request interface {
	Print(p *Printer, path string) error
}

// Print implements [toolset.Printer].
func (t Tool) Print(
	ctx context.Context, arguments json.RawMessage, paths []string, out *plain.Output,
) (plain.Summary, error) {
	a := t.DecodeArguments(arguments)
	a.Paths = paths
	r, argument, err := t.Parse(ctx, a)
	if err != nil {
		return plain.Summary{}, err
	}
	p := &Printer{Call: t.Environment.NewCall(ctx, t.Published.Name), Out: out}
	p.PathCount = len(argument.Values)
	hasFailed := false
	for _, path := range argument.Values {
		err := r.(Request).Print(p, path)
		switch {
		case ctx.Err() != nil:
			return plain.Summary{}, ctx.Err()
		case out.Err() != nil: // the owner of out has the error from it
			return plain.Summary{}, nil
		case err != nil:
			hasFailed = true
			out.Fail(err)
		}
	}
	out.EndSearch(p.Totals.Searched)
	return plain.Summary{
		Failed: hasFailed || p.IsPartial(),
		Note:   strings.Join(append(p.Notes, p.Clauses("", "--documents")...), "; "),
	}, nil
}

// A highlighter is a request that colors the result of its call.
type highlighter interface {
	Highlight(ctx context.Context, result string) string
}

// Highlight implements [toolset.Printer].
func (t Tool) Highlight(
	ctx context.Context, arguments json.RawMessage, result string,
) string {
	parsed, _, err := t.Parse(ctx, t.DecodeArguments(arguments))
	r, ok := parsed.(highlighter)
	if err != nil || !ok {
		return result
	}
	return r.Highlight(ctx, result)
}

// IsInput reports whether a path stands for standard input.
func (p *Printer) IsInput(given string) bool { return given == "-" && p.Out.Input != nil }

// Name returns the path of a location as other programs spell it, which is not escaped.
func (p *Printer) Name(at workspace.Location) string {
	return p.Paths.RawPath(at.Root(), at.Path())
}

// Below prints the entries below a directory.
func Below(
	p *Printer, given string, start workspace.Location, o search.FindOptions, page section.Pager,
	details bool,
) error {
	o.Totals = &p.Totals
	name := p.Name(start)
	for e, err := range search.Find(p.Ctx, p.Workspace, start, o) {
		switch {
		case e.Dir == nil:
			return p.Paths.PathError(given, err)
		case err != nil:
			p.AddUnreadable(lookup.Below(p.Paths.Show(start), e.Path()), err)
		}
		if !e.ForError && page.Next() {
			p.Out.Entry(printedEntry(name, e, details), details)
		}
		if page.IsFull() || p.Out.Err() != nil {
			break
		}
	}
	return nil
}

// printedEntry returns an entry of a walk below a directory with a name.
func printedEntry(name string, e walk.Entry, details bool) plain.Entry {
	entry := plain.Entry{Path: lookup.NameBelow(name, e.Path()), Kind: e.Kind}
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
