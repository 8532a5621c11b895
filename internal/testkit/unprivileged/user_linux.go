package unprivileged

import "syscall"

// userAttributes returns the attributes of processes with effective permissions, in order of
// preference. A process that cannot change its user can drop its capabilities in a user namespace
// without ids.
func userAttributes() []*syscall.SysProcAttr {
	return []*syscall.SysProcAttr{asNobody(), {Cloneflags: syscall.CLONE_NEWUSER}}
}
