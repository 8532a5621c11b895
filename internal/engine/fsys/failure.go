package fsys

import (
	"errors"
	"io/fs"

	"gander/tool"
)

// Failure returns of which kind an error is that an [FS], or a file of it, has returned, and its words without the operation
// and the path.
func Failure(err error) (kind tool.Kind, words string) {
	words = err.Error()
	var at *fs.PathError
	if errors.As(err, &at) {
		words = at.Err.Error()
	}
	switch {
	case errors.Is(err, tool.ErrOutside):
		return tool.Outside, words
	case errors.Is(err, fs.ErrNotExist):
		return tool.NotFound, words
	case errors.Is(err, fs.ErrPermission):
		return tool.Denied, words
	default:
		return tool.Failed, words
	}
}
