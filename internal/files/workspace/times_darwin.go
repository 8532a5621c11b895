package workspace

import (
	"io/fs"
	"syscall"
	"time"
)

func fileTimes(fi fs.FileInfo) (accessed, created time.Time) {
	st := fi.Sys().(*syscall.Stat_t)
	return time.Unix(st.Atimespec.Unix()), time.Unix(st.Birthtimespec.Unix())
}
