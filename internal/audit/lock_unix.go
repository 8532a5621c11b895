//go:build unix

package audit

import (
	"os"
	"syscall"
)

// lock locks a file until it is closed.
func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
