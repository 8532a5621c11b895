// Package block finds the function, the section or another block around lines of a file.
package block

import (
	"context"
	"io"
	"math"

	"gander/internal/blocks"
	"gander/internal/files/lines"
)

const (
	MaxLines     = 200  // lines, unless a limit is given
	LargestLines = 1000 // lines, whatever limit is given
	// Kept is how many bytes of a line the cursor of a source must keep at least. What is in a longer
	// line opens no block.
	Kept = 8000
	// searched is the number of bytes before and after a line in which its block is looked for.
	searched = 256 << 10
	// maxEnclosing is the maximum size of a line that begins a definition, in bytes. Longer lines are
	// not added to results.
	maxEnclosing = 200
)

// A Source is a file, or the text of a document, in which blocks are looked for.
type Source struct {
	Cursor   *lines.Cursor
	Language blocks.Language
}

// Blocks returns the blocks around lines, which are in ascending order, each of at most limit lines
// unless it is a function. A block is zero if there is none. The error is io.EOF if the file has no
// such line.
func (r Source) Blocks(
	ctx context.Context, limit int, asked ...int,
) (around []blocks.Block, err error) {
	f, err := r.find(ctx, asked...)
	if err != nil {
		return nil, err
	}
	for i := range asked {
		b, _ := f.Block(i, limit)
		around = append(around, b)
	}
	return around, nil
}

// A Line is a line that begins a definition. The zero Line is none.
type Line struct {
	Number int
	Text   string
}

// Enclosing returns the lines that begin the definitions around lines, which are in ascending
// order. One is zero if there is none, or if it is long. The error is io.EOF if the file has no
// such line.
func (r Source) Enclosing(ctx context.Context, asked ...int) (heads []Line, err error) {
	f, err := r.find(ctx, asked...)
	if err != nil {
		return nil, err
	}
	for i := range asked {
		head, err := r.head(ctx, f.Head(i))
		if err != nil {
			return nil, err
		}
		heads = append(heads, head)
	}
	return heads, nil
}

// head returns a line, or none if its number is 0 or it is long.
func (r Source) head(ctx context.Context, number int) (Line, error) {
	if number == 0 {
		return Line{}, nil
	}
	if err := r.Cursor.Seek(ctx, number); err != nil {
		return Line{}, err
	}
	l, err := r.Cursor.Next(ctx)
	if err != nil || len(l.Text) > maxEnclosing {
		return Line{}, err
	}
	return Line{number, string(l.Text)}, nil
}

// find looks for the blocks around lines, which are in ascending order.
func (r Source) find(ctx context.Context, asked ...int) (*blocks.Finder, error) {
	if err := r.Cursor.Seek(ctx, asked[len(asked)-1]); err != nil {
		return nil, err
	}
	if err := r.seekBefore(ctx, asked[0]); err != nil {
		return nil, err
	}
	var f *blocks.Finder
	reached := 0
	last := asked[len(asked)-1]
	end := int64(math.MaxInt64) // of what is read
	for {
		l, err := r.Cursor.Next(ctx)
		if err == io.EOF && reached >= last {
			f.End()
			return f, nil
		}
		if err != nil {
			return nil, err
		}
		if f == nil {
			f = blocks.NewFinder(r.Language, l.Number, asked...)
		}
		reached = l.Number
		size := int64(len(l.Text)) + 1
		if l.Number == last {
			end = searched
		}
		isMore := f.Add(l.Text, len(l.Text) >= Kept)
		end -= size
		if !isMore || end < 0 {
			f.End()
			return f, nil
		}
	}
}

// seekBefore moves to a line above another one at which no block is open: the first one, or one
// that is far above, after a blank line and not indented. The structure of Markdown begins with its
// first line.
func (r Source) seekBefore(ctx context.Context, line int) error {
	if err := r.Cursor.Seek(ctx, line); err != nil {
		return err
	}
	from := r.Cursor.Position()
	if from.Offset() <= searched || r.Language.IsMarkdown() {
		return r.Cursor.Seek(ctx, 1)
	}
	isUnindented := false // the line after the cursor is not indented
	for {
		here := r.Cursor.Position()
		l, err := r.Cursor.Prev(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		passed := from.Offset() - here.Offset()
		isStart := isUnindented && len(l.Text) == 0
		if passed > searched && isStart || passed > 2*searched {
			r.Cursor.Move(here)
			return nil
		}
		isUnindented = len(l.Text) > 0 && l.Text[0] > ' '
	}
}
