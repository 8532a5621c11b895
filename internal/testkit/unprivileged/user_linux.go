package unprivileged

import "syscall"

// userAttributes returns the attributes of processes with effective permissions, in order of
// preference: another user, or a user namespace without ids, which drops capabilities.
func userAttributes() []*syscall.SysProcAttr {
	return []*syscall.SysProcAttr{asNobody(), {Cloneflags: syscall.CLONE_NEWUSER}}
}
