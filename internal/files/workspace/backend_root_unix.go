//go:build unix

package workspace

import "syscall"

// nonBlocking keeps the open of a FIFO from waiting, and of a terminal from taking it over.
const nonBlocking = syscall.O_NONBLOCK | syscall.O_NOCTTY
