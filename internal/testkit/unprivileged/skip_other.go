//go:build !unix

package unprivileged

import "testing"

// A Runner skips tests on systems without Unix permissions.
type Runner struct{}

// NewRunner returns a runner.
func NewRunner(testing.TB) *Runner { return new(Runner) }

// Run skips the test.
func (*Runner) Run(t *testing.T, _ func()) {
	t.Helper()
	t.Skip("this system has no Unix permissions")
}
