package paths

import "testing"

func TestBelow(t *testing.T) {
	for _, tt := range []struct {
		windows         bool
		dir, name, want string // "no" if name is not below dir
	}{
		{false, "/w", "/w", "."},
		{false, "/w/", "/w/a//b/", "a/b"},
		{false, "/w", "/w/../w/a", "a"},
		{false, "/w", "/w/../x", "no"},
		{false, "/w", "/w2", "no"},
		{false, "/w", "/W/a", "no"},
		{false, "/w/a", "/w", "no"},
		{false, "/", "/a", "a"},
		{false, "/w", "w/a", "no"},
		{false, "w", "/w/a", "no"},
		{true, `C:\`, `c:\a\b`, "a/b"},
		{true, `C:\w`, `c:/W\a`, "a"},
		{true, `C:\w`, `D:\w\a`, "no"},
		{true, `\\srv\share`, `\\srv\share\`, "."},
		{true, `\\srv\share\`, `\\srv\share`, "."},
		{true, `\\srv\share\`, `\\SRV\share\d\..\f`, "f"},
		{true, `\\srv\share`, `\\srv\other\f`, "no"},
		{true, `\\srv\b`, `\\srv\a\..\b\f`, "no"},
		{true, `\\srv\a`, `\\srv\a\..\b\f`, "b/f"},
		{true, `\\?\UNC\srv\b`, `\\?\UNC\srv\a\..\b\f`, "no"},
		{true, `\\?\C:\w`, `\\?\C:\w\f`, "f"},
		{true, `C:\w`, "NUL", "no"},
		{true, `C:\w`, `\w\f`, "no"},
		{true, `C:\w`, `C:f`, "no"},
	} {
		got, ok := below(tt.dir, tt.name, tt.windows)
		if ok != (tt.want != "no") || ok && got != tt.want {
			t.Errorf("%q below %q: %q, %v", tt.name, tt.dir, got, ok)
		}
	}
}

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
		if isNodeAbsolute(tt.path, false) != tt.posix || isNodeAbsolute(tt.path, true) != tt.windows {
			t.Errorf("%q: not %v on POSIX, %v on Windows", tt.path, tt.posix, tt.windows)
		}
	}
}
