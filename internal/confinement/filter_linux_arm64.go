package confinement

import "golang.org/x/sys/unix"

const architecture = unix.AUDIT_ARCH_AARCH64

// refusedHere are calls that the other processors do not have by this name.
var refusedHere = []uint32{unix.SYS_KEXEC_FILE_LOAD}
