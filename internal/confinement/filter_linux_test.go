//go:build amd64 || arm64

package confinement

import (
	"os"
	"os/exec"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"gander/internal/testkit/fixture"
)

const childVariable = "GANDER_TEST_FILTER"

// TestFilter makes every system call that is not permitted in a child that is confined. Each must fail
// in the filter: none of them may even reject its arguments.
func TestFilter(t *testing.T) {
	if os.Getenv(childVariable) != "" {
		attempt(t)
		return
	}
	if err := supportsFilter(); err != nil {
		t.Skip("this system has no seccomp: ", err)
	}
	self, err := os.Executable()
	fixture.Must(t, err)
	child := exec.Command(self, "-test.run=^TestFilter$", "-test.v")
	child.Env = append(os.Environ(), childVariable+"=1")
	if out, err := child.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func attempt(t *testing.T) {
	fixture.Must(t, applyFilter())
	allowed := slices.Concat(permitted, permittedHere, []uint32{unix.SYS_CLONE, unix.SYS_CLONE3})
	for _, r := range restricted() {
		allowed = append(allowed, r.call)
	}
	if architecture == unix.AUDIT_ARCH_X86_64 {
		allowed = append(allowed, 335, 336) // end the process outside of the kernel's probes
	}
	const none = ^uintptr(0)
	tried := 0
	for call := range uint32(newest + 200) {
		if slices.Contains(allowed, call) {
			continue
		}
		want := unix.EPERM
		if call > newest {
			want = unix.ENOSYS
		}
		tried++
		if _, _, err := unix.Syscall6(uintptr(call), none, none, none, none, none, none); err != want {
			t.Errorf("system call %d: %v, want %v", call, err, want)
		}
	}
	if tried < 400 {
		t.Errorf("only %d calls were tried", tried)
	}
}
