package confinement

import "golang.org/x/sys/unix"

const architecture = unix.AUDIT_ARCH_X86_64

// permittedHere are permitted calls that only this processor has, or by another name.
var permittedHere = []uint32{
	unix.SYS_NEWFSTATAT, unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_ACCESS, unix.SYS_READLINK,
	unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_EPOLL_WAIT, unix.SYS_DUP2, unix.SYS_PIPE,
	unix.SYS_ARCH_PRCTL, unix.SYS_TIME, unix.SYS_GETRLIMIT,
}
