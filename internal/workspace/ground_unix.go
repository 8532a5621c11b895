//go:build unix

package workspace

import (
	"os"

	"golang.org/x/sys/unix"
)

const (
	directoryOnly = unix.O_DIRECTORY | unix.O_NONBLOCK
	nonBlocking   = unix.O_NONBLOCK | unix.O_NOCTTY
)

// plain returns a directory opened through an [os.Root] as one that was not: listing it then asks nothing about each
// entry. It takes f over.
func plain(f *os.File) (*os.File, error) {
	defer f.Close()
	n, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(n), f.Name()), nil
}
