//go:build unix

// Package unprivileged runs tests in a process that file permissions bind, even if root starts them.
package unprivileged

import (
	"sync"
	"testing"
)

// A Runner runs tests where permissions bind: in this process if they bind it, otherwise in a process of another user.
type Runner struct {
	other func() (*otherUser, error)
}

// NewRunner returns a runner for t and its subtests. It prepares the other user's process when that is first needed, and removes
// it when t ends. The tests should embed what they read: the other user may not be able to enter the source directory.
func NewRunner(t testing.TB) *Runner {
	return &Runner{sync.OnceValues(func() (*otherUser, error) { return newOtherUser(t) })}
}

// Run runs body, which must be the rest of the test t. If permissions do not bind this process, a process of another user runs
// the test t from its beginning, and t fails if that one fails.
func (r *Runner) Run(t *testing.T, body func()) {
	t.Helper()
	if !privileged(t) {
		body()
		return
	}
	u, err := r.other()
	if err != nil {
		t.Fatal(err)
	}
	output, err := u.run(t.Context(), t.Name())
	t.Logf("as another user:\n%s", output)
	if err != nil {
		t.Error(err)
	}
}
