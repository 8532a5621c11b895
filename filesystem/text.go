package filesystem

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/page"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

// maxTextBytes is the maximum size of the text in a result, whatever limit the caller sets.
const maxTextBytes = 64 << 20

// textLimit returns the maximum number of bytes in a result with the text of files.
func textLimit(b tool.Budget) int { return min(page.LimitOf(b), maxTextBytes) }

// readText runs read_text_file and read_file.
func (t *fileTool) readText(ctx context.Context, c tool.Call) (tool.Result, error) {
	a := t.Arguments(c.Args)
	path := a.Required("path").String("")
	wanted := portion{tail: a.Optional("tail").Number(0), head: a.Optional("head").Number(0)}
	if a.Err() != nil {
		return tool.Result{}, a.Err()
	}
	limit := textLimit(c.Budget)
	if limit == 0 {
		return tool.Result{}, toolerror.TooSmall(c.Budget)
	}
	e, err := t.excerpt(ctx, path, wanted, limit)
	if err != nil {
		return tool.Result{}, err
	}
	content, cut := e.fit(limit, limit)
	if len(content) > limit {
		return tool.Result{}, toolerror.TooSmall(c.Budget)
	}
	return tool.Result{Parts: tool.Text(content), Truncated: cut}, nil
}

// A portion is what a call wants of a file: the first lines if head is not 0, the last lines if
// tail is not 0, and otherwise all. A number of lines may be negative or a fraction.
type portion struct{ head, tail float64 }

// An excerpt is a portion of a file, or its beginning.
type excerpt struct {
	portion
	data     []byte
	complete bool  // data is the whole portion
	size     int64 // the size of the file in bytes
}

// fit returns the excerpt as text of at most maxBytes bytes. If the text is cut, it ends after a
// line or in the first line, and with a notice that names limit.
func (e excerpt) fit(maxBytes, limit int) (content string, cut bool) {
	content = text.Lossy(e.data)
	if e.tail != 0 {
		content = strings.ReplaceAll(content, "\r\n", "\n")
	}
	if e.head != 0 {
		content = strings.TrimSuffix(content, "\n")
	}
	if e.complete && len(content) <= maxBytes {
		return content, false
	}
	notice := fmt.Sprintf("[gander: output limit of %d bytes reached; the file has %d bytes; "+
		"use head or tail]", limit, max(e.size, int64(len(e.data))))
	kept := text.Cut(content, maxBytes-len("\n")-len(notice))
	if end := strings.LastIndexByte(kept, '\n'); end >= 0 {
		return kept[:end+1] + notice, true
	}
	return kept + "\n" + notice, true
}

// excerpt returns a portion of a file, up to enough bytes for limit bytes of text.
func (t *fileTool) excerpt(
	ctx context.Context, path string, wanted portion, limit int,
) (excerpt, error) {
	at, isEmpty, err := t.findText(ctx, path, wanted)
	if err != nil {
		return excerpt{}, err
	}
	f, err := at.openFile()
	if err == nil {
		defer f.Close()
	}
	// The original does not open an empty file for its tail. For a negative number of lines it reads
	// nothing, which is no error for a directory either.
	isUnread := errors.Is(err, workspace.ErrIsDirectory) && min(wanted.head, wanted.tail) < 0
	isNothing := isEmpty && !errors.Is(err, workspace.ErrDenied)
	switch {
	case isNothing || isUnread:
		return excerpt{complete: true}, nil
	case err != nil:
		return excerpt{}, err
	}
	e := excerpt{portion: wanted, size: f.Size()}
	enough := limit + utf8.UTFMax // one more tells whether any follow, and others complete a character
	switch {
	case e.tail != 0:
		err = e.readTail(ctx, f, enough)
	case e.head != 0:
		err = e.readHead(ctx, f, enough)
	default:
		e.data, e.complete, err = read(ctx, f, 0, enough)
	}
	return e, newError(err, "read", at.path)
}

// findText finds the file of an excerpt. For a tail, the original also asks for the size.
func (t *fileTool) findText(
	ctx context.Context, path string, wanted portion,
) (at place, isEmpty bool, err error) {
	at, err = t.find(ctx, path)
	_, isRejected := errors.AsType[*tool.Error](err)
	switch {
	case isRejected:
		return at, false, err
	case wanted.head != 0 && wanted.tail != 0:
		return at, false, toolerror.BadArguments(
			"Cannot specify both head and tail parameters simultaneously")
	case wanted.tail == 0:
		return at, false, newError(err, "open", at.path)
	}
	var info workspace.Info
	if err == nil {
		info, err = at.location.Stat()
	}
	return at, info.Size == 0, newError(err, "stat", at.path)
}

// readHead reads the first lines of a file, at most limit bytes. A fraction counts as a line.
func (e *excerpt) readHead(ctx context.Context, f *workspace.File, limit int) (err error) {
	for size := 32 << 10; err == nil && !e.complete && len(e.data) < limit; size *= 4 {
		e.data, e.complete, err = read(ctx, f, 0, min(size, limit))
		if end := linesEnd(e.data, e.head); end >= 0 {
			e.data, e.complete = e.data[:end], true
		}
	}
	return err
}

// linesEnd returns the length of the first lines of data, or -1 if data has fewer.
func linesEnd(data []byte, count float64) int {
	end := 0
	for lines := 0.0; lines < count; lines++ {
		i := bytes.IndexByte(data[end:], '\n')
		if i < 0 {
			return -1
		}
		end += i + 1
	}
	return end
}

// readTail reads the last lines of a file, at most limit bytes. For a number below 1, these are the
// bytes from the last piece of 1,024 bytes on, counted from the end, that contains a line feed, as
// the original reads it.
func (e *excerpt) readTail(ctx context.Context, f *workspace.File, limit int) (err error) {
	start, block := e.size, int64(128<<10)
	if e.tail < 1 {
		block = 1024
	}
	wanted := max(math.Floor(e.tail), 1)
	for found := 0.0; start > 0 && e.tail > 0 && found < wanted; {
		end := start
		start = max(end-block, 0)
		data, _, err := read(ctx, f, start, int(end-start))
		if err != nil {
			return err
		}
		found += float64(bytes.Count(data, []byte("\n")))
		if found >= wanted && e.tail >= 1 {
			start += int64(linesEnd(data, found-wanted+1))
		}
	}
	// Replacing CRLF can halve the size.
	rest := max(e.size-start, 0)
	e.data, e.complete, err = read(ctx, f, start, int(min(int64(2*limit), rest)))
	e.complete = e.complete || start+int64(len(e.data)) >= e.size
	return err
}

// read reads at most limit bytes at an offset. It reports whether the file ends with them.
func read(
	ctx context.Context, f *workspace.File, offset int64, limit int,
) (data []byte, end bool, err error) {
	const block = 1 << 20
	rest := max(f.Size()-offset, 0)
	data = make([]byte, 0, min(rest, int64(limit)-1)+1) // one more, unless limited, to notice the end
	for err == nil && len(data) < limit {
		data = slices.Grow(data, 1)
		var n int
		next := data[len(data):min(cap(data), len(data)+block, limit)]
		n, err = f.ReadAt(next, offset+int64(len(data)))
		data = data[:len(data)+n]
		err = cmp.Or(ctx.Err(), err)
	}
	if errors.Is(err, io.EOF) {
		return data, true, nil
	}
	return data, false, err
}
