package gemini

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"syscall"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/testkit/node"
	"gander/internal/tools/shared"
)

// TestNodeText compares system errors with Node.js.
func TestNodeText(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has other numbers for these errors")
	}
	numbers := []syscall.Errno{
		syscall.ENOENT, syscall.EACCES, syscall.EPERM, syscall.ENOTDIR, syscall.ELOOP,
		syscall.ENAMETOOLONG, syscall.EMFILE, syscall.EIO,
	}
	var words [][2]string
	node.Ask(t, `
		const all = require("util").getSystemErrorMap();
		console.log(JSON.stringify(questions.map(n => all.get(-n))));`, numbers, &words)
	for i, n := range numbers {
		err := error(n)
		switch n { // the workspace has its own errors
		case syscall.ENOTDIR:
			err = workspace.ErrNotDirectory
		case syscall.ELOOP:
			err = workspace.ErrLoop
		}
		want := words[i][0] + ": " + words[i][1] + ", stat 'a'"
		if got := shared.NodeError(fmt.Errorf("x: %w", err), "stat", "a").Error(); got != want {
			t.Errorf("%v: got %s, want %s", err, got, want)
		}
	}
	for err, want := range map[error]string{
		workspace.ErrDenied: "EACCES: permission denied",
		fs.ErrNotExist:      "ENOENT: no such file or directory",
		errors.New("odd"):   "UNKNOWN: odd",
	} {
		if got := shared.NodeError(err, "stat", "a").Error(); got != want+", stat 'a'" {
			t.Errorf("%v: got %s, want %s", err, got, want)
		}
	}
}
