package confinement

import (
	"syscall"
	"testing"
)

func TestDescribe(t *testing.T) {
	const none = syscall.ENOSYS
	for _, tt := range []struct {
		version           int
		landlock, seccomp error
		want              string
	}{
		{3, nil, nil, "Landlock ABI 3, seccomp"},
		{2, nil, nil, "Landlock ABI 2, seccomp, no protection from truncation by opening"},
		{7, nil, none, "Landlock ABI 7, no seccomp (function not implemented)"},
		{0, none, nil, "seccomp, no Landlock (function not implemented)"},
	} {
		if got := describeWalls(tt.version, tt.landlock, tt.seccomp); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
