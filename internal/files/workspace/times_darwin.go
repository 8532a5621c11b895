package workspace

import (
	"io/fs"
	"syscall"
	"time"
)

// fileTimes returns the times of the last access and of birth.
func fileTimes(fi fs.FileInfo) (accessed, created time.Time) {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return fi.ModTime(), fi.ModTime()
	}
	return time.Unix(st.Atimespec.Unix()), time.Unix(st.Birthtimespec.Unix())
}
