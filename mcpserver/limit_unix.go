//go:build unix

package mcpserver

import "syscall"

// connectionLimit returns the maximum number of open connections: at most half of the file handles
// of the process, because calls need the others.
func connectionLimit() int {
	var handles syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &handles); err != nil {
		return maxConnections
	}
	return int(min(uint64(handles.Cur)/2, maxConnections))
}
