//go:build unix

package mcpserver

import "syscall"

// connectionLimit leaves half of the file handles of the process to calls.
func connectionLimit() int {
	var handles syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &handles); err != nil {
		return maxConnections
	}
	return int(min(uint64(handles.Cur)/2, maxConnections))
}
