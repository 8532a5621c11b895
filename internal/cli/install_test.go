//go:build unix

package cli

import "testing"

func TestClientPath(t *testing.T) {
	for _, row := range []struct{ path, here, want string }{
		{"/p", "", "/p"},
		{"/p", ".", "."},
		{"/p/a/b", ".", "a/b"},
		{"/p", "${workspaceFolder}", "${workspaceFolder}"},
		{"/p/a/../b", "${workspaceFolder}", "${workspaceFolder}/b"},
		{"/q", ".", "/q"},
		{"/", "${workspaceFolder}", "/"},
		{"/pq", ".", "/pq"},
		{"/p/..a", ".", "..a"},
		{"${X}/a", "", "${X}/a"},
	} {
		if got, err := clientPath(row.path, "/p", row.here); err != nil || got != row.want {
			t.Errorf("%+v: %v, %q", row, err, got)
		}
	}
}
