//go:build darwin || freebsd || netbsd

package workspace

import "golang.org/x/sys/unix"

func birthTime(st *unix.Stat_t) *unix.Timespec { return &st.Btim }
