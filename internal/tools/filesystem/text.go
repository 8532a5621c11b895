package filesystem

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// readText runs read_text_file and read_file (section 4).
func (t *Tool) readText(ctx context.Context, c tool.Call) (tool.Result, error) {
	a := t.arguments(c.Args)
	path := a.Required("path").String("")
	tail, head := a.Optional("tail").Number(0), a.Optional("head").Number(0)
	if err := a.Err(); err != nil {
		return tool.Result{}, err
	}
	limit, limited := c.Budget.Limit()
	if limited && limit == 0 {
		return tool.Result{}, shared.TooSmall(c.Budget)
	}
	at, err := t.find(ctx, path)
	if err != nil {
		return tool.Result{}, err
	}
	if head != 0 && tail != 0 {
		return tool.Result{}, shared.BadArguments(
			"Cannot specify both head and tail parameters simultaneously")
	}
	var e excerpt
	switch {
	case tail != 0:
		e, err = at.tail(ctx, tail, limit)
	case head != 0:
		e, err = at.head(ctx, head, limit)
	default:
		e, err = at.whole(ctx, limit)
	}
	if err != nil {
		return tool.Result{}, err
	}
	content, cut := e.fit(limit, limit)
	if limited && len(content) > limit {
		return tool.Result{}, shared.TooSmall(c.Budget)
	}
	return tool.Result{Parts: tool.Text(content), Truncated: cut}, nil
}

// readMultiple runs read_multiple_files. The size of a part is limited to the remaining bytes, less
// the size of an error for each of the following paths.
func (t *Tool) readMultiple(ctx context.Context, c tool.Call) (tool.Result, error) {
	a := t.arguments(c.Args)
	list := a.Required("paths")
	paths := list.Strings()
	if paths != nil && len(paths) == 0 {
		a.Reject("Too small: expected array to have >=1 items at paths")
	}
	if err := a.Err(); err != nil {
		return tool.Result{}, err
	}
	limit, limited := c.Budget.Limit()
	exceeded := fmt.Sprintf("output limit of %d bytes reached", limit)
	reserved := 0 // for the errors
	for _, path := range paths {
		reserved += len(separator) + len(path) + len(failed) + len(exceeded)
	}
	if reserved -= len(separator); limited && reserved > limit {
		return tool.Result{}, shared.TooSmall(c.Budget)
	}
	var b strings.Builder
	truncated := false
	for i, path := range paths {
		if i > 0 {
			b.WriteString(separator)
			reserved -= len(separator)
		}
		reserved -= len(path) + len(failed) + len(exceeded)
		room := 0
		if limited {
			room = limit - b.Len() - reserved
		}
		part, cut, err := t.readOne(ctx, path, room, limit)
		if err != nil {
			return tool.Result{}, err
		}
		if limited && len(part) > room {
			part, cut = path+failed+exceeded, true
		}
		b.WriteString(part)
		truncated = truncated || cut
	}
	return tool.Result{Parts: tool.Text(b.String()), Truncated: truncated}, nil
}

const (
	separator = "\n---\n"
	failed    = ": Error - "
)

// readOne returns the part of read_multiple_files for a path. It has at most room bytes unless room
// is 0. Only the end of the context is an error.
func (t *Tool) readOne(
	ctx context.Context, path string, room, limit int,
) (part string, cut bool, err error) {
	at, err := t.find(ctx, path)
	var e excerpt
	if err == nil {
		e, err = at.whole(ctx, room)
	}
	if ctx.Err() != nil {
		return "", false, ctx.Err()
	}
	if err != nil {
		return path + failed + err.Error(), false, nil
	}
	head := path + ":\n"
	if room > 0 {
		room = max(room-len(head)-len("\n"), 1)
	}
	content, cut := e.fit(room, limit)
	return head + content + "\n", cut, nil
}

// open opens a target as a file.
func (at target) open(ctx context.Context) (*workspace.File, error) {
	if at.err != nil {
		return nil, at.err
	}
	f, err := at.place.File()
	if errors.Is(err, workspace.ErrIsDirectory) { // the original opens directories
		dir, failure := at.place.Dir()
		if failure != nil {
			return nil, failure
		}
		_ = dir.Close()
	}
	return f, err
}

// An excerpt is a requested part of a file, or its beginning.
type excerpt struct {
	data     []byte
	complete bool  // data is the whole part
	size     int64 // of the file
	lines    bool  // replace CRLF by LF
	missing  bool  // remove the last LF
}

// fit returns the excerpt as text of at most room bytes, or of any size if room is 0. If it is cut,
// it ends after a line or in the first line, and with a notice that names limit.
func (e excerpt) fit(room, limit int) (content string, cut bool) {
	content = text.Lossy(e.data)
	if e.lines {
		content = strings.ReplaceAll(content, "\r\n", "\n")
	}
	if e.missing {
		content = strings.TrimSuffix(content, "\n")
	}
	if e.complete && (room == 0 || len(content) <= room) {
		return content, false
	}
	notice := func(kept string) string {
		const format = "[gander: output limit of %d bytes reached; " +
			"%d of %d bytes shown; use head or tail]"
		return fmt.Sprintf(format, limit, e.rawLength(kept), max(e.size, int64(len(e.data))))
	}
	kept := text.Cut(content, room-len("\n")-len(notice(content)))
	if end := strings.LastIndexByte(kept, '\n'); end >= 0 {
		kept = kept[:end+1]
		return kept + notice(kept), true
	}
	return kept + "\n" + notice(kept), true
}

// rawLength returns the number of bytes of the file that the start of the content represents.
func (e excerpt) rawLength(kept string) int {
	n := 0
	for range strings.Count(kept, "\n") {
		n += bytes.IndexByte(e.data[n:], '\n') + 1
	}
	if rest := kept[strings.LastIndexByte(kept, '\n')+1:]; rest != "" {
		n += min(len(rest), len(e.data)-n)
	}
	return n
}

// enough returns the number of bytes to read for limit bytes of text: one more, to detect that more
// follow, and the rest of a character.
func enough(limit int) int64 {
	if limit == 0 {
		return math.MaxInt64
	}
	return int64(limit) + 4
}

// whole returns a file, up to enough bytes for limit.
func (at target) whole(ctx context.Context, limit int) (excerpt, error) {
	f, err := at.open(ctx)
	if err != nil {
		return excerpt{}, newError(err, "open", at.path)
	}
	defer f.Close()
	e := excerpt{size: f.Size()}
	e.data, e.complete, err = read(ctx, f, 0, enough(limit))
	if err != nil {
		return excerpt{}, newError(err, "read", at.path)
	}
	return e, nil
}

// head returns the first lines of a file. A fraction counts as a line.
func (at target) head(ctx context.Context, count float64, limit int) (excerpt, error) {
	f, err := at.open(ctx)
	if errors.Is(err, workspace.ErrIsDirectory) && count < 0 { // the original opens directories
		return excerpt{complete: true}, nil
	}
	if err != nil {
		return excerpt{}, newError(err, "open", at.path)
	}
	defer f.Close()
	e := excerpt{size: f.Size(), missing: true}
	most, lines := enough(limit), 0.0
	block := int64(32 << 10)
	for count > lines && int64(len(e.data)) < most {
		data, end, err := read(ctx, f, int64(len(e.data)), min(block, most-int64(len(e.data))))
		if err != nil {
			return excerpt{}, newError(err, "read", at.path)
		}
		kept := 0
		for kept < len(data) && lines < count {
			i := bytes.IndexByte(data[kept:], '\n')
			if i < 0 {
				kept = len(data)
				break
			}
			kept += i + 1
			lines++
		}
		if e.data = append(e.data, data[:kept]...); end {
			e.complete = true
			return e, nil
		}
		block = min(2*block, 1<<20)
	}
	e.complete = lines >= count
	return e, nil
}

// read reads at most limit bytes at an offset. It reports whether the file ends with them.
func read(
	ctx context.Context, f *workspace.File, offset, limit int64,
) (data []byte, end bool, err error) {
	const block = 1 << 20
	limit = min(limit, math.MaxInt)
	expected := min(max(f.Size()-offset, 0), limit-1)
	data = make([]byte, 0, expected+1)
	for int64(len(data)) < limit {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		if len(data) == cap(data) {
			data = slices.Grow(data, 4096)
		}
		room := data[len(data):min(cap(data), len(data)+block, int(limit))]
		n, err := f.ReadAt(room, offset+int64(len(data)))
		data = data[:len(data)+n]
		if errors.Is(err, io.EOF) {
			return data, true, nil
		}
		if err != nil {
			return nil, false, err
		}
		if n == 0 {
			return nil, false, fs.ErrInvalid
		}
	}
	return data, false, nil
}
