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
	// Searched is the number of bytes before and after a line in which its block is looked for.
	searched = 512 << 10
	// maxEnclosing is the maximum size of a line that begins a definition, in bytes. Longer lines are
	// not added to results.
	maxEnclosing = 200
)

// A Source is a file, or the text of a document, in which blocks are looked for.
type Source struct {
	Cursor   *lines.Cursor
	Language blocks.Language
}

// Around returns the block around a line, of at most limit lines unless it is a function. ok is false
// if there is none. The error is io.EOF if the file has no such line.
func (r Source) Around(ctx context.Context, line, limit int) (b blocks.Block, ok bool, err error) {
	f, err := r.find(ctx, line)
	if err != nil {
		return b, false, err
	}
	b, ok = f.Block(0, limit)
	return b, ok, nil
}

// Enclosing returns the line that begins the definition around another one. Its number is 0 if there
// is none, or if it is long. The error is io.EOF if the file has no such line.
func (r Source) Enclosing(ctx context.Context, line int) (number int, text string, err error) {
	f, err := r.find(ctx, line)
	if err != nil {
		return 0, "", err
	}
	number = f.Head(0)
	if number == 0 {
		return 0, "", nil
	}
	if err := r.Cursor.Seek(ctx, number); err != nil {
		return 0, "", err
	}
	l, err := r.Cursor.Next(ctx)
	if err != nil || len(l.Text) > maxEnclosing {
		return 0, "", err
	}
	return number, string(l.Text), nil
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

// seekBefore moves to a line above another one at which no block is open: the first one, or one that
// is far above, after a blank line and not indented. The structure of Markdown begins with its first
// line.
func (r Source) seekBefore(ctx context.Context, line int) error {
	if err := r.Cursor.Seek(ctx, line); err != nil {
		return err
	}
	from := r.Cursor.Position()
	if from.Offset() <= searched || r.Language.IsMarkdown() {
		return r.Cursor.Seek(ctx, 1)
	}
	isTop := false // the line after the cursor is not indented
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
		isStart := isTop && len(l.Text) == 0
		if passed > searched && isStart || passed > 2*searched {
			r.Cursor.Move(here)
			return nil
		}
		isTop = len(l.Text) > 0 && l.Text[0] > ' '
	}
}
