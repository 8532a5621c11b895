//go:build !windows

package workspace

import (
	"io/fs"
	"time"
)

// fileTimes returns the times of the last access and of birth. The systems that this serves differ in where they tell them; the
// time of the last write stands for both.
func fileTimes(fi fs.FileInfo) (accessed, created time.Time) { return fi.ModTime(), fi.ModTime() }
