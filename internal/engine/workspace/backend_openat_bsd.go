//go:build darwin || freebsd || netbsd || openbsd

package workspace

import "golang.org/x/sys/unix"

const noAutomount = 0

func nativeBackend(hook syscallHook) backend {
	return &openatBackend{hook: hook, traverse: traverse, list: (*descriptor).readDir}
}

// isSymlink reports whether an open with O_NOFOLLOW has met a symlink: FreeBSD says EMLINK then, NetBSD EFTYPE.
func isSymlink(err error) bool {
	return err == ErrLoop || err == unix.EMLINK || err == unix.EFTYPE
}

// No file system of these systems is known to give every state of a file another version.
func (d *descriptor) keepsVersions() bool     { return false }
func (f *descriptorFile) keepsVersions() bool { return false }
