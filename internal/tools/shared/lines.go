package shared

import (
	"gander/internal/files/lines"
	"gander/internal/files/workspace"
)

// ReadIndexed returns the result of read, which gets the cached index of the lines of a file. If
// the file has changed since the index was made, ReadIndexed calls read again with an empty index.
func ReadIndexed[T any](
	cached workspace.CacheEntry, read func(*lines.Index) (T, error),
) (T, error) {
	index, known := cached.Value().(*lines.Index)
	if !known {
		index = lines.NewIndex()
	}
	result, err := read(index)
	switch {
	case known && !cached.Valid():
		return read(lines.NewIndex())
	case !known && !index.Empty():
		cached.Store(index, lines.MaxIndexBytes)
	}
	return result, err
}
