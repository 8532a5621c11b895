//go:build unix

package workspace

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

const (
	directoryOnly = unix.O_DIRECTORY | unix.O_NONBLOCK
	nonBlocking   = unix.O_NONBLOCK | unix.O_NOCTTY
)

// plain returns a directory opened through an [os.Root] as one that was not: listing it then asks nothing about each
// entry. It takes f over.
func plain(g gate, f *os.File) (*os.File, error) {
	n := -1
	err := g.try("dup", func() (err error) {
		n, err = unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return nil, errors.Join(err, g.shut(f.Close))
	}
	_ = g.shut(f.Close)
	return os.NewFile(uintptr(n), f.Name()), nil
}
