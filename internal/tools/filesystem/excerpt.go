package filesystem

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
)

// open opens the file. Like the original, it also opens a directory, before the error about its
// kind.
func (at resolved) open() (*workspace.File, error) {
	if at.err != nil {
		return nil, at.err
	}
	f, err := at.location.File()
	if errors.Is(err, workspace.ErrIsDirectory) {
		dir, failure := at.location.Dir()
		if failure != nil {
			return nil, failure
		}
		_ = dir.Close()
	}
	return f, err
}

func (at resolved) stat() (info workspace.Info, err error) {
	if at.err != nil {
		return info, at.err
	}
	return at.location.Stat()
}

// An excerpt is a requested part of a file, or its beginning.
type excerpt struct {
	data     []byte
	complete bool  // data is the whole part
	size     int64 // of the file
	lines    bool  // replace CRLF by LF
	missing  bool  // remove the last LF
}

// fit returns the excerpt as text of at most maxBytes bytes, or of any size if maxBytes is 0. If
// the text is cut, it ends after a line or in the first line, and with a notice that names limit.
func (e excerpt) fit(maxBytes, limit int) (content string, cut bool) {
	content = text.Lossy(e.data)
	if e.lines {
		content = strings.ReplaceAll(content, "\r\n", "\n")
	}
	if e.missing {
		content = strings.TrimSuffix(content, "\n")
	}
	if e.complete && (maxBytes == 0 || len(content) <= maxBytes) {
		return content, false
	}
	notice := func(kept string) string {
		const format = "[gander: output limit of %d bytes reached; " +
			"%d of %d bytes shown; use head or tail]"
		return fmt.Sprintf(format, limit, e.rawLength(kept), max(e.size, int64(len(e.data))))
	}
	kept := text.Cut(content, maxBytes-len("\n")-len(notice(content)))
	if end := strings.LastIndexByte(kept, '\n'); end >= 0 {
		kept = kept[:end+1]
		return kept + notice(kept), true
	}
	return kept + "\n" + notice(kept), true
}

// rawLength returns the number of bytes of the file that the start of the content represents.
func (e excerpt) rawLength(kept string) int {
	n := linesEnd(e.data, float64(strings.Count(kept, "\n")))
	rest := kept[strings.LastIndexByte(kept, '\n')+1:]
	return n + min(len(rest), len(e.data)-n)
}

// enough returns the number of bytes to read for limit bytes of text: one more, to detect that more
// follow, and the rest of a character.
func enough(limit int) int64 {
	if limit == 0 {
		return math.MaxInt64
	}
	return int64(limit) + 4
}

// excerpt returns the first lines of a file if head is not 0, its last lines if tail is not 0, and
// otherwise the file, up to enough bytes for limit. The original opens directories.
func (at resolved) excerpt(ctx context.Context, head, tail float64, limit int) (excerpt, error) {
	empty := false
	if tail != 0 {
		info, err := at.stat()
		if err != nil {
			return excerpt{}, newError(err, "stat", at.path)
		}
		empty = info.Size == 0
	}
	f, err := at.open()
	if err == nil {
		defer f.Close()
	}
	none := empty || errors.Is(err, workspace.ErrIsDirectory) && min(head, tail) < 0
	switch {
	case none && !errors.Is(err, workspace.ErrDenied):
		return excerpt{complete: true}, nil
	case err != nil:
		return excerpt{}, newError(err, "open", at.path)
	}
	e := excerpt{size: f.Size(), lines: tail != 0, missing: head != 0}
	switch {
	case tail != 0:
		err = e.readTail(ctx, f, tail, limit)
	case head != 0:
		err = e.readHead(ctx, f, head, enough(limit))
	default:
		e.data, e.complete, err = read(ctx, f, 0, enough(limit))
	}
	if err != nil {
		return excerpt{}, newError(err, "read", at.path)
	}
	return e, nil
}

// readHead reads the first lines of a file, at most limit bytes. A fraction counts as a line.
func (e *excerpt) readHead(
	ctx context.Context, f *workspace.File, count float64, limit int64,
) (err error) {
	for size := int64(32 << 10); ; size *= 4 {
		size = min(size, limit)
		e.data, e.complete, err = read(ctx, f, 0, size)
		if end := linesEnd(e.data, count); end >= 0 {
			e.data, e.complete = e.data[:end], true
		}
		if e.complete || size == limit || err != nil {
			return err
		}
	}
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

// readTail reads the last lines of a file.
func (e *excerpt) readTail(
	ctx context.Context, f *workspace.File, count float64, limit int,
) error {
	start, err := tailStart(ctx, f, count)
	if err != nil {
		return err
	}
	// Replacing CRLF can halve the size.
	e.data, e.complete, err = read(ctx, f, start, min(enough(2*limit), max(e.size-start, 0)))
	e.complete = e.complete || start+int64(len(e.data)) >= e.size
	return err
}

// tailStart returns the offset of the last lines of a file. For a count below 1, it returns the
// offset of the last piece of 1,024 bytes from the end that contains a line feed, as the original
// reads it.
func tailStart(ctx context.Context, f *workspace.File, count float64) (int64, error) {
	end, block, pieces := f.Size(), int64(64<<10), count < 1
	if count < 0 {
		return end, nil
	}
	if pieces {
		block = 1024
	}
	for found := 0.0; end > 0; {
		from := max(end-block, 0)
		data, _, err := read(ctx, f, from, end-from)
		if err != nil {
			return 0, err
		}
		for i := len(data); ; {
			if i = bytes.LastIndexByte(data[:i], '\n'); i < 0 {
				break
			}
			if pieces {
				return from, nil
			}
			if found++; found >= math.Floor(count) {
				return from + int64(i) + 1, nil
			}
		}
		if end = from; !pieces {
			block = min(2*block, 1<<20)
		}
	}
	return 0, nil
}

// read reads at most limit bytes at an offset. It reports whether the file ends with them.
func read(
	ctx context.Context, f *workspace.File, offset, limit int64,
) (data []byte, end bool, err error) {
	const block = 1 << 20
	limit = min(limit, math.MaxInt)
	data = make([]byte, 0, min(max(f.Size()-offset, 0), limit-1)+1)
	for err == nil && int64(len(data)) < limit {
		if len(data) == cap(data) {
			data = slices.Grow(data, 4096)
		}
		var n int
		next := data[len(data):min(cap(data), len(data)+block, int(limit))]
		n, err = f.ReadAt(next, offset+int64(len(data)))
		data = data[:len(data)+n]
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
	}
	if errors.Is(err, io.EOF) {
		return data, true, nil
	}
	return data, false, err
}
