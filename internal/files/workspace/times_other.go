//go:build !windows && !darwin

package workspace

import (
	"io/fs"
	"time"
)

// fileTimes returns the times of the last access and of birth. Systems differ in how they
// represent them, so it returns the time of the last write for both.
func fileTimes(fi fs.FileInfo) (accessed, created time.Time) { return fi.ModTime(), fi.ModTime() }
