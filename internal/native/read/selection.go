package read

import (
	"context"

	"gander/internal/files/charset"
	"gander/internal/native/lookup"
	"gander/internal/native/wording"
	"gander/internal/tools/toolerror"
)

// A selection is what the arguments of read_file and the end of a path together select of one file.
//
// [request.selection] makes it of the [request], which has the arguments, and the [lookup.PathEnd]
// of one path, before the file is open. In the open file, [requestedFile.seekSelected] makes the
// [passage] of the selection: it looks for the block or the mark, and counts lines from the end.
type selection struct {
	lineRange
	column  int             // where the first line begins, or 0
	block   int             // the line whose block is selected, or 0
	mark    lookup.MarkName // the mark of the document, or zero
	numbers bool            // the lines are shown with their numbers

	encoding *charset.Encoding // that is given, or nil
}

// selection returns what is selected of a file whose path has an end. Of a range of lines there,
// the arguments select a part. Otherwise a block goes before all else, and the first line and the
// column there count unless the arguments say where the lines begin. An offset of 1 does not say
// that: it is the default, which models often send.
func (r request) selection(ctx context.Context, end lookup.PathEnd) (selection, error) {
	s := selection{lineRange: r.lineRange, mark: end.Mark, numbers: r.numbers, encoding: r.encoding}
	hasPlace := end != (lookup.PathEnd{}) || r.block != 0
	isDefault := s.first == 1 && s.last == 0
	if hasPlace && isDefault {
		s.first = 0
	}
	if end.Last != 0 {
		lines, err := s.within(ctx, lineRange{first: end.Line, last: end.Last}, "at the end of the path")
		s.lineRange = lines
		return s, err
	}
	s.block = r.block
	if r.pathBlocks {
		s.block = end.Line
	}
	isMark := end.Mark.Kind != 0
	switch {
	case s.block != 0:
		return s, s.checkBlock(ctx)
	case s.first != 0:
		return s, nil
	case isMark && s.last != 0:
		return s, toolerror.BadArguments(
			"end_line and %s at the end of the path both select lines; give one of them", end.Mark)
	default:
		s.first, s.column = end.Line, end.Column
		return s, s.checkLast("the line at the end of the path")
	}
}

// checkBlock returns an error if the arguments select other lines beside a block.
func (l lineRange) checkBlock(ctx context.Context) error {
	switch {
	case l.last != 0:
		return toolerror.BadArguments("end_line and %s both select lines; give %[1]s alone",
			wording.Name(ctx, "block"))
	case l.first != 0:
		return toolerror.BadArguments("%s and %s both select lines; give %[2]s alone",
			wording.Name(ctx, "offset"), wording.Name(ctx, "block"))
	default:
		return nil
	}
}
