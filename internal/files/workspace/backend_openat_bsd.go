//go:build darwin || freebsd || netbsd || openbsd

package workspace

import (
	"time"

	"golang.org/x/sys/unix"
)

const noAutomount = 0

func nativeBackend(hook syscallHook) backend {
	return &openatBackend{hook: hook, traverse: traverse, list: (*descriptor).readDir}
}

func (d *descriptor) details(name string) (Details, error) {
	var st unix.Stat_t
	err := d.backend.hook.do("fstatat", func() error { return unix.Fstatat(d.n, name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	if err != nil {
		return Details{}, err
	}
	return Details{
		Info:        infoOfStat(&st),
		Permissions: uint32(st.Mode) & 0o777,
		Accessed:    time.Unix(st.Atim.Unix()),
		Created:     time.Unix(birthTime(&st).Unix()),
	}, nil
}

// isSymlink reports whether an open with O_NOFOLLOW has met a symlink: FreeBSD says EMLINK then, NetBSD EFTYPE.
func isSymlink(err error) bool {
	return err == ErrLoop || err == unix.EMLINK || err == unix.EFTYPE
}

// No file system of these systems is known to give every state of a file another version.
func (d *descriptor) keepsVersions() bool     { return false }
func (f *descriptorFile) keepsVersions() bool { return false }
