package confinement

import "golang.org/x/sys/unix"

const architecture = unix.AUDIT_ARCH_X86_64

// refusedHere are calls that only this processor has.
var refusedHere = []uint32{
	unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN,
	unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT, unix.SYS_KEXEC_FILE_LOAD,
	unix.SYS_IOPL, unix.SYS_IOPERM,
}
