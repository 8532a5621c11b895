//go:build unix

package mcpserver

import (
	"math"

	"golang.org/x/sys/unix"
)

// maxHandles returns the maximum number of open files and connections of the process.
func maxHandles() int {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return math.MaxInt32
	}
	return int(min(uint64(limit.Cur), math.MaxInt32)) // The type of Cur depends on the system.
}
