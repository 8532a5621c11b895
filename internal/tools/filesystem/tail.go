package filesystem

import (
	"bytes"
	"context"
	"errors"
	"math"

	"gander/internal/files/workspace"
)

// tail returns the last lines of a file.
func (at target) tail(ctx context.Context, count float64, limit int) (excerpt, error) {
	if at.err != nil {
		return excerpt{}, newError(at.err, "stat", at.path)
	}
	info, err := at.place.Stat()
	if err != nil {
		return excerpt{}, newError(err, "stat", at.path)
	}
	f, err := at.open(ctx)
	switch {
	case errors.Is(err, workspace.ErrDenied):
		return excerpt{}, newError(err, "open", at.path)
	case info.Size == 0, errors.Is(err, workspace.ErrIsDirectory) && count < 0:
		if err == nil {
			_ = f.Close()
		}
		return excerpt{complete: true}, nil
	case err != nil:
		return excerpt{}, newError(err, "open", at.path)
	}
	defer f.Close()
	e := excerpt{size: f.Size(), lines: true}
	start, err := tailStart(ctx, f, count)
	if err == nil {
		// CRLF becomes LF, so that twice as much may fit.
		e.data, e.complete, err = read(ctx, f, start, min(enough(2*limit), max(e.size-start, 0)))
		e.complete = e.complete || start+int64(len(e.data)) >= e.size
	}
	if err != nil {
		return excerpt{}, newError(err, "read", at.path)
	}
	return e, nil
}

// tailStart returns the offset of the last lines of a file. For a count below 1, it returns the
// offset of the last piece of 1,024 bytes from the end that contains a line feed, as the original
// reads it.
func tailStart(ctx context.Context, f *workspace.File, count float64) (int64, error) {
	end := f.Size()
	if count < 0 {
		return end, nil
	}
	block, pieces := int64(64<<10), count < 1
	if pieces {
		block = 1024
	}
	found := 0.0
	for end > 0 {
		from := max(end-block, 0)
		data, _, err := read(ctx, f, from, end-from)
		if err != nil {
			return 0, err
		}
		if pieces {
			if bytes.IndexByte(data, '\n') >= 0 {
				return from, nil
			}
			end = from
			continue
		}
		for i := len(data); i > 0; {
			if i = bytes.LastIndexByte(data[:i], '\n'); i < 0 {
				break
			}
			if found++; found >= math.Floor(count) {
				return from + int64(i) + 1, nil
			}
		}
		end, block = from, min(2*block, 1<<20)
	}
	return 0, nil
}
