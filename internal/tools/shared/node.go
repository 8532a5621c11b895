package shared

import (
	"errors"
	"io/fs"
	"syscall"

	"gander/internal/files/workspace"
)

// NodeErrorText returns the code and the text that Node.js has for a system error.
func NodeErrorText(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "ENOENT: no such file or directory"
	case errors.Is(err, syscall.EPERM) && !errors.Is(err, workspace.ErrDenied):
		return "EPERM: operation not permitted"
	case errors.Is(err, fs.ErrPermission):
		return "EACCES: permission denied"
	case errors.Is(err, workspace.ErrNotDirectory):
		return "ENOTDIR: not a directory"
	case errors.Is(err, workspace.ErrLoop):
		return "ELOOP: too many symbolic links encountered"
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "ENAMETOOLONG: name too long"
	case errors.Is(err, syscall.EMFILE):
		return "EMFILE: too many open files"
	case errors.Is(err, syscall.EIO):
		return "EIO: i/o error"
	default:
		return "UNKNOWN: " + err.Error()
	}
}
