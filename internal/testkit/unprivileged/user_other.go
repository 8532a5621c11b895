//go:build unix && !linux

package unprivileged

import "syscall"

// unprivilegedProcess lists ways to start a process that permissions bind, in the order in which to try them.
func unprivilegedProcess() []*syscall.SysProcAttr {
	return []*syscall.SysProcAttr{asNobody()}
}
