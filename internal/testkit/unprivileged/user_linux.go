package unprivileged

import "syscall"

// ways lists the ways to start a process that permissions bind, to be tried in this order. A process without
// the capability to change its user can still drop all others in a user namespace that no id is mapped into.
func ways() []*syscall.SysProcAttr {
	return []*syscall.SysProcAttr{asNobody(), {Cloneflags: syscall.CLONE_NEWUSER}}
}
