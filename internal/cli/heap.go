package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// headroom is how much a server may allocate between two collections of garbage, in bytes, however little it holds. Go's
// own rule is as much as is held, but 4 MB at least: a server holds 3 MB, so that one long answer has several collections.
const headroom = 12 << 20

// leaveHeadroom has the collector heed headroom, unless the environment has set it in its own way.
func leaveHeadroom() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(percent(3 << 20))
	afterCollection()
}

// percent is the growth that the collector is to allow where so many bytes are held.
func percent(held uint64) int { return int(max(100, headroom*100/max(held, 1<<20))) }

// afterCollection sets the growth anew after every collection, for what is then held.
func afterCollection() {
	type sentinel struct{ _ [64]byte } // nothing else is collected with it
	runtime.SetFinalizer(new(sentinel), func(*sentinel) {
		held := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(held)
		debug.SetGCPercent(percent(held[0].Value.Uint64()))
		afterCollection()
	})
}
