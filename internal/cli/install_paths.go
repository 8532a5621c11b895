package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"gander/internal/install"

	"gander/internal/paths"
)

// hasVariable reports whether path has a variable that a client replaces.
func hasVariable(path string) bool { return strings.Contains(path, "${") }

// clientPath returns path for a client's configuration: absolute, or if the client has a name for dir and path lies in dir,
// beginning with that name.
func clientPath(path, dir, projectDir string) (string, error) {
	if hasVariable(path) {
		return path, nil
	}
	absolute, err := filepath.Abs(path)
	if err != nil || projectDir == "" {
		return absolute, err
	}
	inside, ok := paths.Below(dir, absolute)
	switch {
	case !ok:
		return absolute, nil
	case inside == ".":
		return projectDir, nil
	case projectDir == ".":
		return filepath.ToSlash(inside), nil
	default:
		return projectDir + "/" + filepath.ToSlash(inside), nil
	}
}

// thisProgram returns the command that runs this program: its absolute path, or if others share the file and "gander" on the
// PATH is this program, that name.
func thisProgram(shared bool) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("this program cannot find itself; name it with --command: %w", err)
	}
	if strings.Contains(filepath.ToSlash(self), "/go-build") {
		return "", fmt.Errorf("go run removes %s when it ends; build the program, or name another with --command", self)
	}
	// The PATH may have a link that stays when the program moves.
	if found, err := exec.LookPath("gander"); err == nil && sameFile(found, self) {
		if shared {
			return "gander", nil
		}
		return filepath.Abs(found)
	}
	return self, nil
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// thisMachine returns the machine that the program runs on.
func thisMachine() install.Machine {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // Whatever needs it reports that.
	}
	return install.Machine{System: runtime.GOOS, Home: home, Env: os.Getenv, HasProgram: func(name string) bool {
		_, err := exec.LookPath(name)
		return err == nil
	}}
}
