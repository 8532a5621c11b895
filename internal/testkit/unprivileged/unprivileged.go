//go:build unix

// Package unprivileged is test support: it runs tests where permissions bind, also when they were started by a user whom
// they do not bind. It does not know what is tested.
package unprivileged

import (
	"sync"
	"testing"
)

// A Runner runs tests where permissions bind: in this process if they bind it, otherwise in one of another user.
type Runner struct {
	other func() (*otherUser, error)
}

// NewRunner returns a runner for t and its subtests. What another user's process needs is made when it is first needed, and
// removed when t ends. The tests should embed what they read: that user may not be let in where this program was built.
func NewRunner(t testing.TB) *Runner {
	return &Runner{sync.OnceValues(func() (*otherUser, error) { return newOtherUser(t) })}
}

// Run runs body, the rest of the test t. Where permissions do not bind this process, another user's starts the test t
// anew and comes to this place by itself; t fails as that does.
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
