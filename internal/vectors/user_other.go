//go:build unix && !linux

package vectors

import "syscall"

// unprivileged lists the ways to start a process that permissions bind, to be tried in this order.
func unprivileged() []*syscall.SysProcAttr {
	return []*syscall.SysProcAttr{asNobody()}
}
