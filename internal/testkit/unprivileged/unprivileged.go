//go:build unix

// Package unprivileged runs tests in a process with effective file permissions, even as root.
package unprivileged

import (
	"sync"
	"testing"

	"gander/internal/testkit/fixture"
)

// A Runner runs tests where permissions are effective: in this process or in one of another user.
type Runner struct {
	other func() (*otherUser, error)
}

// NewRunner returns a runner for t and its subtests. The tests should embed their files: the other
// user may be unable to enter the source directory.
func NewRunner(t testing.TB) *Runner {
	return &Runner{sync.OnceValues(func() (*otherUser, error) { return newOtherUser(t) })}
}

// Run runs body, which must be the rest of the test t. If permissions are not effective in this
// process, a process of another user runs t from its beginning, and t fails if that process fails.
func (r *Runner) Run(t *testing.T, body func()) {
	t.Helper()
	if !privileged(t) {
		body()
		return
	}
	u, err := r.other()
	fixture.Must(t, err)
	output, err := u.run(t.Context(), t.Name())
	t.Logf("as another user:\n%s", output)
	if err != nil {
		t.Error(err)
	}
}
