package confinement

import "golang.org/x/sys/unix"

const architecture = unix.AUDIT_ARCH_AARCH64

// permittedHere are permitted calls that the other processors do not have by this name.
var permittedHere = []uint32{unix.SYS_FSTATAT, unix.SYS_GETRLIMIT}
