package filesystem

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"gander/internal/testkit/fixture"
	"gander/tool"
)

// TestManyPaths reads more files than have room for an error about each.
func TestManyPaths(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes 5,000 files")
	}
	files := map[string]string{"big": strings.Repeat("a line\n", 20_000)}
	for i := range 5000 {
		files[fmt.Sprintf("%04d", i)] = "the content"
	}
	called := open(t, write(t, files))["read_multiple_files"]
	for _, first := range []string{"0000", "big"} {
		paths := []string{first}
		for i := 1; i < 5000; i++ {
			paths = append(paths, fmt.Sprintf("%04d", i))
		}
		whole, failure := call(t, called, map[string]any{"paths": paths[1:]}, 120_000)
		n := strings.Count(whole.Text(), "the content")
		if failure != nil || whole.Truncated || n != 4999 {
			t.Errorf("%d of 4999 files are shown, although all fit: %v", n, failure)
		}
		const limit = 100 << 10
		result, failure := call(t, called, map[string]any{"paths": paths}, limit)
		if failure != nil {
			t.Fatal(failure)
		}
		parts := strings.Split(result.Text(), divider)
		shown := len(parts) - 1
		notice := fmt.Sprintf("[gander: output limit of %d bytes reached; %d of 5000 paths shown; "+
			"read the others in another call]", limit, shown)
		if !result.Truncated || len(result.Text()) > limit || parts[shown] != notice {
			t.Errorf("%s first: %d bytes with %q at the end", first, len(result.Text()), parts[shown])
		}
		if first == "0000" && shown < limit/30 {
			t.Errorf("%d files of 20 bytes are shown", shown)
		}
		for i, part := range parts[:shown] {
			if paths[i] != "big" && part != paths[i]+":\nthe content\n" {
				t.Errorf("%s: %q", paths[i], part)
			}
		}
	}
}

// TestRootNotUTF8 checks that errors about a root whose name is not UTF-8 are those about any
// other.
func TestRootNotUTF8(t *testing.T) {
	root := write(t, nil) + "/r\xffoot"
	if err := os.Mkdir(root, 0o700); err != nil {
		t.Skip("names are UTF-8: ", err)
	}
	fixture.Write(t, root, map[string]string{"f": "content", "out": ">/etc/passwd"})
	tools := open(t, root)
	paths := []string{
		"/etc/passwd", "none", "none/none", "f/x", "f", "out", "..", strings.Repeat("x", 5000),
	}
	for name, called := range tools {
		for _, path := range paths {
			args := map[string]any{"path": path, "pattern": "*", "paths": append(paths, path)}
			result, failure := call(t, called, args, -1)
			message := result.Text()
			if failure != nil {
				message = failure.Message
			}
			if failure != nil && failure.Kind == tool.Internal || !utf8.ValidString(message) {
				t.Errorf("%s of %.20q: %q", name, path, message)
			}
		}
	}
	shown := strings.ToValidUTF8(root, "\ufffd")
	result, _ := call(t, tools["read_multiple_files"], map[string]any{"paths": []string{"/x"}}, -1)
	want := "/x: Error - Access denied - path outside allowed directories: /x not in " + shown
	if result.Text() != want {
		t.Errorf("got %q, want %q", result.Text(), want)
	}
}

// TestNoHome checks that "~" is no allowed directory if the user's home is unknown.
func TestNoHome(t *testing.T) {
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	called := open(t, write(t, map[string]string{"f": "content"}))["read_text_file"]
	result, failure := call(t, called, map[string]any{"path": "~/f"}, -1)
	if failure == nil || failure.Kind != tool.Outside {
		t.Errorf("got %q, %v", result.Text(), failure)
	}
}

func TestWindowsPath(t *testing.T) {
	for path, want := range map[string]string{
		`c:\x`: `C:\x`, "C:/x": "C:/x", "/c/x": "C:/x", "/c": "/c", "/mnt/c/x": "/mnt/c/x",
		`\\server\share`: `\\server\share`, "x": "x", "": "", "é:": "é:", "c:": "C:",
	} {
		if got := windowsPath(path); got != want {
			t.Errorf("%q is %q, want %q", path, got, want)
		}
	}
}
