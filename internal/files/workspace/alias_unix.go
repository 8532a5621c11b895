//go:build unix

package workspace

import (
	"io/fs"
	"syscall"
)

// deviceOf returns the number of the file system that a file lies on.
func deviceOf(fi fs.FileInfo) (uint64, bool) {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return uint64(st.Dev), true
}
