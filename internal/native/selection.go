package native

import (
	"cmp"

	"gander/internal/tools/toolerror"
)

// A selection is what the arguments of read_file and the end of a path together select of one file.
type selection struct {
	lineRange          // with a limit if it has a last line
	isBounded bool     // it says which line is the first and which is the last
	column    int      // where the first line begins, or 0
	block     int      // the line whose block is selected, or 0
	mark      markName // the mark of the document, or zero
	numbers   bool     // the lines are shown with their numbers
}

// selection returns what is selected of a file whose path ends with a span. The span's first line and
// column count unless the arguments say where the lines begin; of lines up to a last one, the
// arguments select a part. A block goes before all else.
func (r readRequest) selection(end span) (selection, error) {
	s := selection{lineRange: r.lineRange, block: r.block, mark: end.mark, numbers: r.numbers}
	isBlockOfPath := r.pathBlocks && end.line != 0 && end.last == 0
	if isBlockOfPath {
		s.block = end.line
	}
	if s.block != 0 {
		if s.last != 0 {
			return s, toolerror.BadArguments("end_line and block both select lines; give block alone")
		}
		s.isBounded = true
		return s, nil
	}
	if err := s.add(end); err != nil {
		return s, err
	}
	s.limitToLast()
	return s, nil
}

// add adds the span at the end of the path to the lines that the arguments select.
func (s *selection) add(end span) error {
	isMark := end.mark.kind != 0
	switch {
	case end.last != 0:
		return s.narrow(end, "at the end of the path")
	case s.offset != 0:
		return nil
	case isMark && s.last != 0:
		return toolerror.BadArguments(
			"end_line and %s at the end of the path both select lines; give one of them", end.mark)
	default:
		s.offset, s.column = end.line, end.column
		return s.checkLast("the line at the end of the path")
	}
}

// narrow narrows the selection to the lines of a span. It returns an error if the arguments select
// others; the place of the span ends the message.
func (s *selection) narrow(to span, place string) error {
	if err := to.checkPart(s.lineRange, place); err != nil {
		return err
	}
	s.offset, s.last = cmp.Or(s.offset, to.line), cmp.Or(s.last, to.last)
	return nil
}

// limitToLast sets the limit to the lines up to the last one, if there is one.
func (s *selection) limitToLast() {
	hasEnd := s.limit > 0
	if s.last != 0 {
		s.offset = max(s.offset, 1)
		n := s.last - s.offset + 1
		hasEnd = s.limit == 0 || s.limit >= n
		s.limit = min(cmp.Or(s.limit, n), n)
	}
	s.isBounded = s.offset != 0 && hasEnd
}
