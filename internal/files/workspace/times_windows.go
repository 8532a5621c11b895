package workspace

import (
	"io/fs"
	"syscall"
	"time"
)

func fileTimes(fi fs.FileInfo) (accessed, created time.Time) {
	data := fi.Sys().(*syscall.Win32FileAttributeData)
	return time.Unix(0, data.LastAccessTime.Nanoseconds()),
		time.Unix(0, data.CreationTime.Nanoseconds())
}
