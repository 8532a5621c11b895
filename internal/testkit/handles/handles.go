// Package handles counts open files.
package handles

import (
	"os"
	"runtime"
	"strconv"
	"testing"

	"gander/internal/testkit/fixture"
)

// Count returns the number of open files of this process, or -1 if the system does not list them.
func Count(t testing.TB) int {
	t.Helper()
	if runtime.GOOS == "windows" { // Wine lists the files of Unix
		return -1
	}
	return count(t, "/dev/fd")
}

// CountOf returns the number of open files of another process, on Linux.
func CountOf(t testing.TB, pid int) int {
	t.Helper()
	return count(t, "/proc/"+strconv.Itoa(pid)+"/fd")
}

func count(t testing.TB, folder string) int {
	t.Helper()
	entries, err := os.ReadDir(folder)
	fixture.Must(t, err)
	return len(entries)
}
