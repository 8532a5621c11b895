//go:build unix

package unprivileged

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

const (
	// nobody is a user id that owns no files. It needs no account.
	nobody = 65534
	// marker is the environment variable that is set in the other user's process.
	marker = "GANDER_UNPRIVILEGED"
)

var errNoOtherUser = errors.New("cannot start a process of another user; run the tests as an ordinary user")

// privileged reports whether this process can read what permissions forbid. The user id does not tell: root may lack the
// capability, and another user may have it.
func privileged(t testing.TB) bool {
	locked := filepath.Join(t.TempDir(), "locked")
	if err := os.Mkdir(locked, 0); err != nil {
		t.Fatal(err)
	}
	_, err := os.ReadDir(locked)
	return err == nil
}

// An otherUser runs tests of this program in a process that permissions bind.
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
	u := &otherUser{dir: dir, binary: filepath.Join(dir, "tests")}
	return u, copyProgram(u.binary)
}

// publicDir makes a directory that everyone can write, in the first temporary directory that everyone can reach.
func publicDir() (string, error) {
	bases := []string{os.TempDir(), "/tmp", "/var/tmp", "/dev/shm"}
	for _, base := range bases {
		base, err := filepath.EvalSymlinks(base)
		if err != nil || !enterable(base) {
			continue
		}
		dir, err := os.MkdirTemp(base, "gander-unprivileged-")
		if err != nil {
			continue
		}
		return dir, os.Chmod(dir, 0o777|fs.ModeSticky)
	}
	return "", fmt.Errorf("none of %s is a directory that everyone can reach and this user can write; set TMPDIR to one", strings.Join(bases, ", "))
}

// enterable reports whether everyone can enter dir, an absolute path, and all its parents.
func enterable(dir string) bool {
	for filepath.IsAbs(dir) {
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm()&0o001 == 0 {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
		dir = filepath.Dir(dir)
	}
	return false
}

// copyProgram copies the running program, because the other user may not be able to reach it.
func copyProgram(path string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	in, err := os.Open(program)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Chmod(0o755), out.Close())
}

// run runs one test and returns its output. It fails if the test fails or does not exist.
func (u *otherUser) run(ctx context.Context, test string) (output string, err error) {
	if os.Getenv(marker) != "" {
		return "", fmt.Errorf("user %d can read what permissions forbid, even without capabilities; run the tests as an ordinary user", os.Geteuid())
	}
	var refused []error
	for _, attributes := range unprivilegedProcess() {
		cmd := exec.CommandContext(ctx, u.binary, "-test.v", "-test.timeout=5m", "-test.run="+exactly(test))
		cmd.Env = append(os.Environ(), marker+"=1", "TMPDIR="+u.dir,
			"GORACE=atexit_sleep_ms=0 "+os.Getenv("GORACE")) // the race detector would sleep a second for each test
		cmd.SysProcAttr = attributes
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit):
			return string(out), fmt.Errorf("as another user, the test failed: %w", err)
		case err != nil:
			refused = append(refused, err)
		case !strings.Contains(string(out), "--- PASS: "+test+" ("):
			return string(out), fmt.Errorf("as another user, no test %s ran", test)
		default:
			return string(out), nil
		}
	}
	return "", fmt.Errorf("%w: %w", errNoOtherUser, errors.Join(refused...))
}

// exactly returns the pattern for -test.run that selects the test with this full name.
func exactly(test string) string {
	var levels []string
	for level := range strings.SplitSeq(test, "/") {
		levels = append(levels, "^"+regexp.QuoteMeta(level)+"$")
	}
	return strings.Join(levels, "/")
}

// asNobody starts a process as the user nobody.
func asNobody() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody, NoSetGroups: true}}
}
