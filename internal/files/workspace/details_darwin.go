package workspace

import (
	"syscall"
	"time"
)

func (d *Details) describeTimes(st *syscall.Stat_t) {
	d.Accessed = time.Unix(st.Atimespec.Unix())
	d.Changed = time.Unix(st.Ctimespec.Unix())
	d.Created = time.Unix(st.Birthtimespec.Unix())
}
