package workspace

import (
	"io/fs"
	"syscall"
	"time"
)

// fileTimes returns the times of the last access and of birth.
func fileTimes(fi fs.FileInfo) (accessed, created time.Time) {
	data, ok := fi.Sys().(*syscall.Win32FileAttributeData)
	if !ok {
		return fi.ModTime(), fi.ModTime()
	}
	accessed = time.Unix(0, data.LastAccessTime.Nanoseconds())
	return accessed, time.Unix(0, data.CreationTime.Nanoseconds())
}
