package native

import (
	"context"
	"math"

	"gander/internal/files/workspace"
	"gander/internal/jsonobject"
	"gander/internal/tools/toolerror"
)

// A readRequest is the arguments of read_file.
type readRequest struct {
	lineRange
	block      int  // the line whose block is requested, or 0
	pathBlocks bool // blocks around the lines at the ends of the paths are requested
	numbers    bool
}

func parseRead(ctx context.Context, a *callArguments) (request, pathArgument, error) {
	paths := a.decodePaths()
	r := readRequest{lineRange: decodeLines(a)}
	block := a.get("block")
	if block.Value().Type() == jsonobject.TypeNumber {
		r.block = block.Int(0, math.MinInt, math.MaxInt)
	} else {
		r.pathBlocks = block.Bool(false)
	}
	r.numbers = a.get("numbers", "line_numbers").Bool(true)
	if err := a.check(ctx); err != nil {
		return nil, paths, err
	}
	if !paths.isGiven {
		return nil, paths, toolerror.BadArguments("path is required: the file to read")
	}
	return r, paths, r.checkLast("the first line")
}

// findReadable finds the file to read, or the directory to list.
func (c *call) findReadable(given string) (target, error) {
	found, err := c.find(given)
	if err != nil {
		return found, err
	}
	shown := c.show(found.location)
	switch kind := found.info.Kind; {
	case found.linkErr != nil:
		message := shown + " is a link that cannot be followed: " + toolerror.PathText(found.linkErr)
		return found, toolerror.New(found.linkErr, message)
	case kind != workspace.Directory && kind != workspace.Regular:
		return found, notRegular(shown)
	default:
		return found, nil
	}
}

func (r readRequest) section(c *call, b budget, path string) (section, error) {
	found, err := c.findReadable(path)
	if err != nil {
		return section{}, err
	}
	if found.info.Kind == workspace.Directory {
		return r.listing(c, b, found.location)
	}
	selected, err := r.selection(found.end)
	if err != nil {
		return section{}, err
	}
	x, err := c.openRequested(b, selected, found.location)
	if err != nil {
		return section{}, err
	}
	defer x.file.Close()
	document, err := x.openDocument()
	switch {
	case err != nil:
		return section{}, err
	case document != nil:
		return x.documentSection(document)
	case x.kind.encoding == notText:
		return x.binarySection()
	default:
		return x.textSection()
	}
}

// listing returns the section about a directory. A place at the end of its path is ignored.
func (r readRequest) listing(c *call, b budget, directory workspace.Location) (section, error) {
	switch {
	case r.first < 0:
		return section{}, toolerror.BadArguments("%s is a directory, whose entries are counted from the "+
			"start; give a positive offset", c.nameInError(directory))
	case r.block != 0:
		return section{}, toolerror.BadArguments("%s is a directory, which has no blocks; leave block out",
			c.nameInError(directory))
	}
	page := requestedPage{offset: max(r.first, 1), limit: r.pageLimit()}
	return c.listingSection(b, listRequest{depth: 1, requestedPage: page}, directory)
}

func notRegular(shown string) error {
	message := shown + " is " + specialFile + ", which cannot be read"
	return toolerror.New(workspace.ErrNotRegular, message)
}
