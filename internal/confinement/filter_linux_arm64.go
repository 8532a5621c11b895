package confinement

import "golang.org/x/sys/unix"

const architecture = unix.AUDIT_ARCH_AARCH64

// refusedHere returns calls that the other processors do not have by this name.
func refusedHere() []uint32 { return []uint32{unix.SYS_KEXEC_FILE_LOAD} }
