package workspace

import (
	"os"
	"syscall"
)

// A gate is passed before every system call of a ground, and told its name. Where it returns an error, the call is not
// made and that is what it has said. Nil lets everything through; tests keep calls waiting with it, and make them fail.
type gate func(call string) error

// try makes a system call, once more where a signal has interrupted it. The error carries no path.
func (g gate) try(name string, call func() error) error {
	for {
		err := g.pass(name)
		if err == nil {
			err = call()
		}
		if err != syscall.EINTR {
			return bare(err)
		}
	}
}

func (g gate) pass(name string) error {
	if g == nil {
		return nil
	}
	return g(name)
}

// shut makes the system call that closes something: whatever it says, the handle is gone.
func (g gate) shut(closes func() error) error {
	err := g.pass("close")
	if closed := closes(); err == nil {
		err = closed
	}
	return err
}

// A handle is an open regular file.
type handle struct {
	f    *os.File
	gate gate
}

func (h handle) readAt(b []byte, off int64) (n int, err error) {
	err = h.gate.try("pread", func() (err error) {
		n, err = h.f.ReadAt(b, off)
		return err
	})
	return n, err
}

func (h handle) stat() (info Info, err error) {
	err = h.gate.try("fstat", func() error {
		fi, err := h.f.Stat()
		if err == nil {
			info = infoOf(fi)
		}
		return err
	})
	return info, err
}

func (h handle) close() error { return h.gate.shut(h.f.Close) }
