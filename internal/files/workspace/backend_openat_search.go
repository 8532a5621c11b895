//go:build darwin || freebsd

package workspace

import "golang.org/x/sys/unix"

// traverse opens a directory that need not be listed without permission to read it.
const traverse = unix.O_SEARCH
