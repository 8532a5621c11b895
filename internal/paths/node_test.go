package paths

import "testing"

// TestIsNodeAbsolute has the results of Node 22.
func TestIsNodeAbsolute(t *testing.T) {
	for _, tt := range []struct {
		path           string
		posix, windows bool
	}{
		{"", false, false},
		{"a/b", false, false},
		{"./a", false, false},
		{"/", true, true},
		{"/etc", true, true},
		{`\`, false, true},
		{`\x`, false, true},
		{`\\srv\share`, false, true},
		{"//srv/share", true, true},
		{`C:\x`, false, true},
		{"c:/x", false, true},
		{"C:", false, false},
		{"C:x", false, false},
		{"1:/x", false, false},
	} {
		if got := isNodeAbsolute(tt.path, false); got != tt.posix {
			t.Errorf("POSIX: %q: %v", tt.path, got)
		}
		if got := isNodeAbsolute(tt.path, true); got != tt.windows {
			t.Errorf("Windows: %q: %v", tt.path, got)
		}
	}
}
