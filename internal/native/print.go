package native

import (
	"context"
	"encoding/json"
	"strings"

	"gander/internal/files/workspace"
	"gander/internal/plain"
)

// A printer prints the results of a call for another program.
type printer struct {
	*call
	out   *plain.Output
	notes []string
	omissions
}

// Print implements [toolset.Printer].
func (t *nativeTool) Print(
	ctx context.Context, arguments json.RawMessage, paths []string, out *plain.Output,
) (plain.Summary, error) {
	a := t.decodeArguments(arguments)
	a.paths = paths
	r, argument, err := t.parse(ctx, a)
	if err != nil {
		return plain.Summary{}, err
	}
	p := &printer{call: t.newCall(ctx), out: out}
	p.pathCount = len(argument.values)
	hasFailed := false
	for _, path := range argument.values {
		err := r.print(p, path)
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
	out.EndSearch(p.totals.Searched)
	return plain.Summary{
		Failed: hasFailed || p.isPartial(),
		Note:   strings.Join(append(p.notes, p.clauses("", "--documents")...), "; "),
	}, nil
}

// isInput reports whether a path stands for standard input.
func (p *printer) isInput(given string) bool { return given == "-" && p.out.Input != nil }

// name returns the path of a location as other programs spell it, which is not escaped.
func (p *printer) name(at workspace.Location) string { return p.rawPath(at.Root(), at.Path()) }
