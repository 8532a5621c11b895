//go:build netbsd || openbsd

package workspace

import "golang.org/x/sys/unix"

// traverse needs permission to read the directory: these systems have no flag that does without.
const traverse = unix.O_RDONLY
