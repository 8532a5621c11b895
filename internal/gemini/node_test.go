//go:build unix

package gemini

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"gander/internal/workspace"
)

// TestNodeWords compares the words for errors of the system with those of Node.js.
func TestNodeWords(t *testing.T) {
	numbers := []syscall.Errno{syscall.ENOENT, syscall.EACCES, syscall.EPERM, syscall.ENOTDIR, syscall.ELOOP, syscall.ENAMETOOLONG, syscall.EMFILE, syscall.EIO}
	var words [][2]string
	askNode(t, `
		const all = require("util").getSystemErrorMap();
		console.log(JSON.stringify(questions.map(n => all.get(-n))));`, numbers, &words)
	for i, n := range numbers {
		err := error(n)
		switch n { // the workspace has errors of its own for these
		case syscall.ENOTDIR:
			err = workspace.ErrNotDirectory
		case syscall.ELOOP:
			err = workspace.ErrLoop
		}
		if got, want := nodeWords(fmt.Errorf("x: %w", err)), words[i][0]+": "+words[i][1]; got != want {
			t.Errorf("%v: got %s, want %s", err, got, want)
		}
	}
	for err, want := range map[error]string{
		workspace.ErrDenied: "EACCES: permission denied", fs.ErrNotExist: "ENOENT: no such file or directory", errors.New("odd"): "UNKNOWN: odd",
	} {
		if got := nodeWords(err); got != want {
			t.Errorf("%v: got %s, want %s", err, got, want)
		}
	}
}

// TestShelfIsBounded: what a shelf holds depends on the answer's room, not on the directory.
func TestShelfIsBounded(t *testing.T) {
	s := newShelf(t.Context(), 1000)
	for i := range 20000 {
		if !s.add(fmt.Appendf(nil, "é%d", (i*7919)%20000), workspace.Regular) {
			t.Fatal("it stops")
		}
		if len(s.foreign) > 2000 {
			t.Fatalf("%d names are kept", len(s.foreign))
		}
	}
	var first []string
	err := s.each(func(name []byte, _ bool) bool {
		first = append(first, string(name))
		return len(first) < 5
	})
	if got := strings.Join(first, " "); err != nil || got != "é0 é1 é10 é100 é1000" {
		t.Errorf("got %s, %v", got, err)
	}
}
