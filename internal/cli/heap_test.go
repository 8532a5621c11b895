package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// TestHeadroom: what a server allocates beside the little that it holds is collected seldom, and what it holds beside much
// as ever.
func TestHeadroom(t *testing.T) {
	t.Setenv("GOGC", "")
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	leaveHeadroom()
	if set := debug.SetGCPercent(percent(3 << 20)); set < 200 {
		t.Errorf("a server begins with a growth of %d %%", set)
	}
	held := make([]byte, 64<<20)
	settled := func(want func(percent int) bool) bool {
		for range 100 {
			runtime.GC()
			time.Sleep(10 * time.Millisecond) // for the finalizer
			set := debug.SetGCPercent(100)
			debug.SetGCPercent(set)
			if want(set) {
				return true
			}
		}
		return false
	}
	if !settled(func(percent int) bool { return percent == 100 }) {
		t.Error("with 64 MB held the growth is not the usual")
	}
	runtime.KeepAlive(held)
	if !settled(func(percent int) bool { return percent > 100 }) {
		t.Error("with little held the growth is the usual")
	}
}

func TestPercent(t *testing.T) {
	for held, want := range map[uint64]int{0: 1200, 1 << 20: 1200, 3 << 20: 400, 6 << 20: 200, 12 << 20: 100, 1 << 30: 100} {
		if got := percent(held); got != want {
			t.Errorf("%d bytes held: %d %%, want %d", held, got, want)
		}
	}
}
