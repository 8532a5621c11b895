package terminal

import (
	"io"
	"sync"
)

// clearLine returns to the beginning of a line on a terminal, and clears it.
const clearLine = "\r\x1b[K"

// A StatusWriter writes to standard error, and can show a status on the last line of a terminal.
// The status is cleared before anything else is written. It is safe for concurrent use.
type StatusWriter struct {
	Stream io.Writer

	mu      sync.Mutex
	isShown bool
}

// Write implements [io.Writer].
func (w *StatusWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clearLocked()
	return w.Stream.Write(p)
}

// Show replaces the status, which must not have control characters.
func (w *StatusWriter) Show(status string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.isShown = true
	_, _ = io.WriteString(w.Stream, clearLine+status)
}

// Clear clears the status, if one is shown.
func (w *StatusWriter) Clear() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clearLocked()
}

func (w *StatusWriter) clearLocked() {
	if w.isShown {
		w.isShown = false
		_, _ = io.WriteString(w.Stream, clearLine)
	}
}
