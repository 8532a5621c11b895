//go:build unix

package unprivileged

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
)

// TestRun needs permissions in two subtests, which share the other user.
func TestRun(t *testing.T) {
	bound := NewRunner(t)
	for _, name := range []string{"first", "second (of 2)"} {
		t.Run(name, func(t *testing.T) {
			bound.Run(t, func() {
				locked := filepath.Join(t.TempDir(), "locked")
				fixture.Must(t, os.Mkdir(locked, 0))
				if _, err := os.ReadDir(locked); !errors.Is(err, fs.ErrPermission) {
					t.Errorf("reading what is locked: %v", err)
				}
			})
		})
	}
}

// TestRerunReportsFailure fails when it runs again as the other user.
func TestRerunReportsFailure(t *testing.T) {
	if os.Getenv(marker) != "" {
		t.Fatal("the other user's test fails, as it should")
	}
	u, err := newOtherUser(t)
	fixture.Must(t, err)
	for test, message := range map[string]string{
		t.Name():           "the test failed: exit status 1",
		"TestNone":         "no test TestNone ran",
		t.Name() + "/none": "the test failed: exit status 1",
	} {
		output, err := u.run(t.Context(), test)
		if errors.Is(err, errNoOtherUser) && !privileged(t) {
			t.Skip(err)
		}
		if err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: got %v, want %q in it; the output is\n%s", test, err, message, output)
		}
	}
}

func TestExactly(t *testing.T) {
	if got, want := exactly("TestA/b.c/[d]_(e|f)"), `^TestA$/^b\.c$/^\[d\]_\(e\|f\)$`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
