//go:build unix

package unprivileged

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"gander/internal/testkit/fixture"
)

const (
	// nobody is a user id without files. It needs no account.
	nobody = 65534
	// marker is the environment variable of the other user's process.
	marker = "GANDER_UNPRIVILEGED"
)

var errNoOtherUser = errors.New(
	"cannot start a process of another user; run the tests as an ordinary user")

// privileged reports whether this process can read a directory without permission. The user id does
// not determine it: root may lack the capability, and another user may have it.
func privileged(t testing.TB) bool {
	locked := filepath.Join(t.TempDir(), "locked")
	fixture.Must(t, os.Mkdir(locked, 0))
	_, err := os.ReadDir(locked)
	return err == nil
}

// An otherUser runs tests of this program in a process with effective permissions.
type otherUser struct {
	dir    string // a directory that the user can reach and write
	binary string // a copy of the test program in dir
}

// newOtherUser makes the directory and the copy of the test program. They are removed when t ends.
func newOtherUser(t testing.TB) (*otherUser, error) {
	dir, err := publicDir()
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	program, err := os.Executable() // which the other user may be unable to reach
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	u := &otherUser{dir: dir, binary: filepath.Join(dir, "tests")}
	return u, errors.Join(os.WriteFile(u.binary, data, 0o700), os.Chmod(u.binary, 0o755))
}

func publicDir() (string, error) {
	for _, base := range []string{os.TempDir(), "/tmp", "/var/tmp", "/dev/shm"} {
		base, err := filepath.EvalSymlinks(base)
		if err != nil || !enterable(base) {
			continue
		}
		if dir, err := os.MkdirTemp(base, "gander-unprivileged-"); err == nil {
			return dir, os.Chmod(dir, 0o777|fs.ModeSticky)
		}
	}
	return "", errors.New("everyone can reach no temporary directory; set TMPDIR to one")
}

// enterable reports whether everyone can enter dir, an absolute path, and all its parents.
func enterable(dir string) bool {
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm()&0o001 == 0 {
		return false
	}
	return dir == filepath.Dir(dir) || enterable(filepath.Dir(dir))
}

// run runs one test and returns its output. It is an error if the test failed or does not exist.
func (u *otherUser) run(ctx context.Context, test string) (output string, err error) {
	if os.Getenv(marker) != "" {
		return "", fmt.Errorf("permissions do not affect user %d, even without capabilities; "+
			"run the tests as an ordinary user", os.Geteuid())
	}
	var failures []error
	for _, attributes := range userAttributes() {
		cmd := exec.CommandContext(ctx, u.binary,
			"-test.v", "-test.timeout=5m", "-test.run="+exactly(test))
		cmd.Env = append(os.Environ(), marker+"=1", "TMPDIR="+u.dir,
			"GORACE=atexit_sleep_ms=0 "+os.Getenv("GORACE")) // instead of a second for each test
		cmd.SysProcAttr = attributes
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit):
			return string(out), fmt.Errorf("as another user, the test failed: %w", err)
		case err != nil:
			failures = append(failures, err)
		case !strings.Contains(string(out), "--- PASS: "+test+" ("):
			return string(out), fmt.Errorf("as another user, no test %s ran", test)
		default:
			return string(out), nil
		}
	}
	return "", fmt.Errorf("%w: %w", errNoOtherUser, errors.Join(failures...))
}

// exactly returns the pattern for -test.run that selects the test with this full name.
func exactly(test string) string {
	var levels []string
	for level := range strings.SplitSeq(test, "/") {
		levels = append(levels, "^"+regexp.QuoteMeta(level)+"$")
	}
	return strings.Join(levels, "/")
}

func asNobody() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Credential: &syscall.Credential{Uid: nobody, Gid: nobody, NoSetGroups: true},
	}
}
