//go:build unix && !linux

package unprivileged

import "syscall"

// ways lists the ways to start a process that permissions bind, to be tried in this order.
func ways() []*syscall.SysProcAttr {
	return []*syscall.SysProcAttr{asNobody()}
}
