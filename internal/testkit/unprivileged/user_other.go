//go:build unix && !linux

package unprivileged

import "syscall"

// userAttributes returns the attributes of processes with effective permissions.
func userAttributes() []*syscall.SysProcAttr { return []*syscall.SysProcAttr{asNobody()} }
