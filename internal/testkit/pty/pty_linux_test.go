package pty

import (
	"os/exec"
	"testing"
)

func TestRun(t *testing.T) {
	got := Run(t, exec.Command("sh", "-c", "stty size; test -t 0 && test -t 1 && test -t 2 && echo terminal; exit 3"), 57)
	if want := "24 57\nterminal\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
