package terminal

import (
	"fmt"
	"strings"
	"testing"
)

// TestStatus checks that a status is cleared once, before anything else is written.
func TestStatus(t *testing.T) {
	var out strings.Builder
	w := &StatusWriter{Stream: &out}
	w.Clear()
	w.Show("1 file")
	w.Show("2 files")
	fmt.Fprint(w, "error\n")
	w.Clear()
	w.Show("3 files")
	w.Clear()
	want := "\r\x1b[K1 file\r\x1b[K2 files\r\x1b[Kerror\n\r\x1b[K3 files\r\x1b[K"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
