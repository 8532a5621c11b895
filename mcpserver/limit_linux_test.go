package mcpserver

import (
	"syscall"
	"testing"

	"gander/internal/testkit"
)

// TestConnectionLimit checks the maximum number of connections, by the number of file handles.
func TestConnectionLimit(t *testing.T) {
	var before syscall.Rlimit
	testkit.Must(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before))
	defer func() { testkit.Must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before)) }()
	for handles, want := range map[uint64]int{300: 150, 1000: 500, 2000: 512} {
		if handles > before.Max {
			continue
		}
		limit := before
		limit.Cur = handles
		testkit.Must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
		if got := connectionLimit(); got != want {
			t.Errorf("%d connections with %d handles, want %d", got, handles, want)
		}
	}
}
