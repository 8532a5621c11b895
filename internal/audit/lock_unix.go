//go:build unix

package audit

import (
	"os"
	"syscall"
)

// nonBlocking keeps the opening of a FIFO from waiting.
const nonBlocking = syscall.O_NONBLOCK

// lock locks a file until it is closed.
func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
