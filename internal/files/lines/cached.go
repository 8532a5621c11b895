package lines

import "gander/internal/files/workspace"

// ReadIndexed is [ReadCached] for the index of the lines of a file.
func ReadIndexed[T any](cached workspace.CacheEntry, read func(*Index) (T, error)) (T, error) {
	size := func(*Index) int { return MaxIndexBytes }
	return ReadCached(cached, NewIndex, size, read)
}

// ReadCached returns the result of read, which gets the cached value for a file, or a new one, and
// fills it. If the file has changed since the value was made, ReadCached calls read again with a new
// value. size returns the maximum size of a value in bytes.
func ReadCached[V interface{ Empty() bool }, T any](
	cached workspace.CacheEntry, empty func() V, size func(V) int, read func(V) (T, error),
) (T, error) {
	value, known := cached.Value().(V)
	if !known {
		value = empty()
	}
	result, err := read(value)
	switch {
	case known && !cached.Valid():
		return read(empty())
	case !known && !value.Empty():
		cached.Store(value, size(value))
	}
	return result, err
}
