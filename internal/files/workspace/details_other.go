//go:build unix && !darwin

package workspace

import "syscall"

// describeTimes adds nothing, because systems represent these times differently.
func (d *Details) describeTimes(*syscall.Stat_t) {}
