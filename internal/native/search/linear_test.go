//go:build unix

package search

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"gander/internal/native/call"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
)

// TestLinear checks that a line twice as long takes at most 2.5 times the processor time, for every
// output and for patterns whose matches depend on the rest of the line.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures times, many times")
	}
	root := t.TempDir()
	c := nativetest.Over(t, Tool, call.DefaultSettings(), root)
	// No line, which has twice the size, fits into a buffer of 65,536 bytes, which makes it faster.
	sizes := []int{40_000, 80_000, 100_000, 200_000}
	for _, size := range sizes {
		different := tooltest.Many(size, func(i int) string { return fmt.Sprint("0", i) })[:size]
		text := strings.ReplaceAll(different, "\n", " ") + strings.Repeat("a", size)
		tooltest.Put(t, root, fmt.Sprint(size), text+"\n")
	}
	patterns := `a(.*z)? (a*)*b x* a.*b|a (?:a|aa)+$ \w+\s*$ \w+\s*\d a(.*\bz)? a(.*x)?(.*y)?(.*z)? ` +
		`(a.{0,30}z)?a a{3}(a*b)? a{2,3}?(.*z|) .(?:.*z|.*y|.*\d)? ^|a$|a \d+ 0(.*z)?`
	for pattern := range strings.FieldsSeq(patterns) {
		for _, kind := range []string{"lines", "matches", "files", "counts"} {
			for i := 0; i < len(sizes); i += 2 {
				search := func(size int) time.Duration {
					args := fmt.Sprintf(`{"pattern":%q,"output":%q,"path":"%d"}`, pattern, kind, size)
					return processorTime(func() { tooltest.Output(c, args, -1) })
				}
				if short, long, ok := linear(search, sizes[i]); !ok {
					t.Errorf("%s, %s: %v for %d bytes, %v for twice as many", pattern, kind, short, sizes[i], long)
				}
			}
		}
	}
}

// linear reports whether searching twice the size takes at most 2.5 times the time. It takes the
// best of several tries, because other programs run too.
func linear(search func(size int) time.Duration, size int) (short, long time.Duration, ok bool) {
	short, long = time.Hour, time.Hour
	for range 40 {
		short, long = min(short, search(size)), min(long, search(2*size))
		if long <= max(5*short/2, 5*time.Millisecond) {
			return short, long, true
		}
	}
	return short, long, false
}

// processorTime returns the time that the process spends on a function.
func processorTime(f func()) time.Duration {
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			panic(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	runtime.GC()
	before := used()
	f()
	return used() - before
}
