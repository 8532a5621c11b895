package workspace

import "syscall"

// A syscallHook is called with the name of each system call of a backend before it is made. If it returns an error, the
// call is not made and fails with that error. A nil hook does nothing. Tests use it to delay calls and to make them fail.
type syscallHook func(call string) error

// do makes a system call, again each time a signal interrupts it. The error carries no path.
func (h syscallHook) do(name string, call func() error) error {
	for {
		err := h.before(name)
		if err == nil {
			err = call()
		}
		if err != syscall.EINTR {
			return bare(err)
		}
	}
}

func (h syscallHook) before(name string) error {
	if h == nil {
		return nil
	}
	return h(name)
}

// close makes a system call that closes a handle. It is made once, also if the hook fails: the handle is gone.
func (h syscallHook) close(call func() error) error {
	err := h.before("close")
	if closeErr := call(); err == nil {
		err = closeErr
	}
	return err
}
