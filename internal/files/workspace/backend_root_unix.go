//go:build unix

package workspace

import "syscall"

const (
	// nonBlocking keeps the open of a FIFO from waiting, and of a terminal from taking it over.
	nonBlocking = syscall.O_NONBLOCK | syscall.O_NOCTTY
	// directorySuffix keeps the open of a directory from waiting if the name is a FIFO.
	directorySuffix = "/."
)
