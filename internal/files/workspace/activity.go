package workspace

import "sync/atomic"

// Activity counts the operations on the files of a workspace. It is safe for concurrent use.
type Activity struct {
	Files atomic.Int64 // opened
	Bytes atomic.Int64 // read from files

	running, progress atomic.Int64
}

// Progress returns a number that changes whenever an operation of the operating system ends, and
// whether an operation is running.
func (a *Activity) Progress() (n int64, running bool) {
	return a.progress.Load(), a.running.Load() > 0
}

func (a *Activity) begin() { a.running.Add(1) }

func (a *Activity) end() {
	a.progress.Add(1)
	a.running.Add(-1)
}

// Activity returns the counters of w and of all workspaces narrowed from it.
func (w *Workspace) Activity() *Activity { return w.activity }
