package workspace

import "golang.org/x/sys/unix"

// birthTime returns the time of the last change: x/sys does not know the time of birth.
func birthTime(st *unix.Stat_t) *unix.Timespec { return &st.Ctim }
