// Package read implements read_file.
package read

import (
	"context"
	_ "embed"
	"math"
	"strings"

	"gander/internal/documents"
	"gander/internal/files/charset"
	"gander/internal/files/workspace"
	"gander/internal/jsonobject"
	"gander/internal/native/call"
	"gander/internal/native/lookup"
	"gander/internal/native/section"
	"gander/internal/native/wording"
	"gander/internal/tools/toolerror"
)

// A request is the arguments of read_file.
type request struct {
	lineRange
	block      int  // the line whose block is requested, or 0
	pathBlocks bool // blocks around the lines at the ends of the paths are requested
	numbers    bool
	encoding   *charset.Encoding // that is given, or nil
	pages      string            // of a document: a page, or a range of them
	list       lister
}

// A lister returns the section with a page of the entries of a directory.
type lister func(
	context.Context, *call.Call, section.Budget, call.Page, lookup.Target,
) (section.Section, error)

//go:embed definition.json
var definition string

// Tool returns read_file, which lists directories with list.
func Tool(e *call.Environment, list lister) *call.Tool {
	published := definition
	if len(e.Settings.Documents) == 0 {
		published = strings.Replace(published, " or document (PDF, Office, EPUB, notebook)", "", 1)
	}
	return call.New(e, published,
		func(ctx context.Context, a *call.Arguments) (call.Request, call.PathArgument, error) {
			return parse(ctx, a, list)
		})
}

func parse(
	ctx context.Context, a *call.Arguments, list lister,
) (call.Request, call.PathArgument, error) {
	paths := a.DecodePaths()
	r := request{lineRange: decodeLines(a), list: list}
	block := a.Get("block")
	if block.Value().Type() == jsonobject.TypeNumber {
		r.block = block.Int(0, math.MinInt, math.MaxInt)
	} else {
		r.pathBlocks = block.Bool(false)
	}
	r.numbers = a.Get("numbers", "line_numbers").Bool(true)
	r.encoding = a.DecodeEncoding()
	r.pages = a.Alias("pages", "page").String("")
	if err := a.Check(ctx); err != nil {
		return nil, paths, err
	}
	if !paths.IsGiven {
		return nil, paths, toolerror.BadArguments("%s is required: the file to read",
			wording.Name(ctx, "path"))
	}
	return r, paths, r.checkLast("the first line")
}

// findReadable finds the file to read, or the directory to list.
func findReadable(ctx context.Context, p *lookup.Paths, given string) (lookup.Target, error) {
	found, err := p.Find(ctx, given)
	if err != nil {
		return found, err
	}
	shown := p.Show(found.Location)
	switch kind := found.Info.Kind; {
	case found.LinkErr != nil:
		message := shown + " is a link that cannot be followed: " + toolerror.PathText(found.LinkErr)
		return found, toolerror.New(found.LinkErr, message)
	case kind != workspace.Directory && kind != workspace.Regular:
		return found, lookup.NotRegular(shown)
	default:
		return found, nil
	}
}

func (r request) Section(
	ctx context.Context, c *call.Call, b section.Budget, path string,
) (section.Section, error) {
	found, err := findReadable(ctx, c.Paths, path)
	if err != nil {
		return section.Section{}, err
	}
	if found.Info.Kind == workspace.Directory {
		return r.listing(ctx, c, b, found)
	}
	if r.pages != "" && found.End.Mark.Kind == 0 {
		found.End.Mark = lookup.MarkName{Kind: documents.Page, Name: r.pages}
	}
	selected, err := r.selection(ctx, found.End)
	if err != nil {
		return section.Section{}, err
	}
	x, err := openRequested(c, b, selected, found.Location)
	if err != nil {
		return section.Section{}, err
	}
	defer x.file.Close()
	if clause := found.AlikeClause(); clause != "" {
		x.title += " (" + clause + ")"
	}
	document, err := x.openDocument(ctx)
	switch {
	case err != nil:
		return section.Section{}, err
	case document != nil:
		return x.documentSection(ctx, document)
	case !x.kind.IsText:
		return x.binarySection(ctx)
	default:
		return x.textSection(ctx)
	}
}

// listing returns the section about a directory. A place at the end of its path is ignored.
func (r request) listing(
	ctx context.Context, c *call.Call, b section.Budget, directory lookup.Target,
) (section.Section, error) {
	shown := c.Paths.NameInError(directory.Location)
	switch {
	case r.first < 0:
		return section.Section{}, toolerror.BadArguments("%s is a directory, whose entries are counted "+
			"from the start; give a positive %s", shown, wording.Name(ctx, "offset"))
	case r.block != 0:
		return section.Section{}, toolerror.BadArguments("%s is a directory, which has no blocks; "+
			"leave %s out", shown, wording.Name(ctx, "block"))
	}
	page := call.Page{Offset: max(r.first, 1), Limit: r.pageLimit()}
	return r.list(ctx, c, b, page, directory)
}
