// Package confinement has the kernel confine the process to the needs of a file server, even if
// gander or a library has a bug. It is a second wall: no other package relies on it.
package confinement

import "time"

// Describe names the confinement that [Enforce] can use on this system, and its missing parts.
func Describe() string { return describe() }

// Enforce confines all threads of the process, for good. From then on it can open files to read
// them and directories to list them only below the given directories. It cannot write, create,
// change or remove a file, run a program, use a new socket, or signal or examine another process.
// Open files remain usable, and a listener still accepts connections. A directory remains the same
// one if it is renamed or replaced.
//
// A system that cannot enforce all of this enforces the rest; see [Describe]. If Enforce fails, the
// system has refused what it claims to support, and may confine the process in part.
func Enforce(directories ...string) error {
	_, _ = time.Now().Zone() // loads the local time zone, whose file is outside
	return enforce(directories)
}
