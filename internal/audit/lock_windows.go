package audit

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock locks a file until it is closed. Readers are not affected: the lock is on a byte behind the
// largest size that the file can have.
func lock(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	behind := &windows.Overlapped{OffsetHigh: 1 << 30}
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, behind)
}
