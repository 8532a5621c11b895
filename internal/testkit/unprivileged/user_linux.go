package unprivileged

import "syscall"

// unprivilegedProcess lists ways to start a process that permissions bind, in the order in which to try them. A process without
// the capability to change its user can still drop all others in a user namespace that no id is mapped into.
func unprivilegedProcess() []*syscall.SysProcAttr {
	return []*syscall.SysProcAttr{asNobody(), {Cloneflags: syscall.CLONE_NEWUSER}}
}
