package filesystem

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/internal/testkit/unprivileged"
)

// TestTailStart compares tails of a file of several blocks with its lines.
func TestTailStart(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for b.Len() < 300_000 {
		b.WriteString(strings.Repeat("z", r.IntN(3)*r.IntN(2000)) + "\n")
	}
	text := b.String() + "end"
	root := write(t, map[string]string{"f": text})
	called := open(t, root)["read_text_file"]
	lines := strings.Split(text, "\n")
	for _, n := range []int{1, 2, 60, len(lines) - 1, len(lines), len(lines) + 1} {
		got, failure := call(t, called, map[string]any{"path": "f", "tail": n}, -1)
		want := strings.Join(lines[max(len(lines)-n, 0):], "\n")
		if failure != nil || got.Text() != want {
			t.Errorf("the last %d lines have %d bytes, want %d: %v", n, len(got.Text()), len(want), failure)
		}
	}
}

// TestLossyLine checks that the notice about a line that is cut has the size of the file.
func TestLossyLine(t *testing.T) {
	tools := open(t, write(t, map[string]string{"f": strings.Repeat("\xff", 300)}))
	result, failure := call(t, tools["read_text_file"], map[string]any{"path": "f"}, 200)
	line, notice, _ := strings.Cut(result.Text(), "\n")
	const want = "; the file has 300 bytes;"
	if failure != nil || line == "" || !strings.Contains(notice, want) {
		t.Errorf("got %q, %v; want%s", result.Text(), failure, want)
	}
}

// TestLargeFile checks that a sparse file of 1 TB is rejected or cut without a limit of the caller.
func TestLargeFile(t *testing.T) {
	root := write(t, map[string]string{"x.png": "\x89PNG\r\n\x1a\n"})
	if err := os.Truncate(filepath.Join(root, "x.png"), 1<<40); err != nil {
		t.Skip("the file system has no sparse files: ", err)
	}
	tools := open(t, root)
	_, failure := call(t, tools["read_media_file"], map[string]any{"path": "x.png"}, -1)
	if failure == nil || !strings.Contains(failure.Message, "does not fit the limit") {
		t.Errorf("got %v", failure)
	}
	for name, args := range map[string]map[string]any{
		"read_text_file":      {"path": "x.png"},
		"read_multiple_files": {"paths": []string{"x.png"}},
	} {
		result, failure := call(t, tools[name], args, -1)
		size := len(result.Text())
		if failure != nil || !result.Truncated || size > maxTextBytes {
			t.Errorf("%s: %d bytes, %v", name, size, failure)
		}
	}
}

// TestUnreadableDirectory checks that reading an unreadable directory is denied.
func TestUnreadableDirectory(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		root := fixture.Make(t, "shut/", "shut/ 0300")
		tools := open(t, root)
		want := "denied: EACCES: permission denied, open '" + root + "/shut'"
		for _, args := range []string{
			"read_text_file {}", `read_text_file {"head":1}`, `read_text_file {"head":-1}`,
			`read_text_file {"tail":1}`, `read_text_file {"tail":-1}`, "read_media_file {}",
		} {
			name, args, _ := strings.Cut(args, " ")
			all := map[string]any{"path": "shut"}
			fixture.Must(t, json.Unmarshal([]byte(args), &all))
			_, failure := call(t, tools[name], all, -1)
			if got := tooltest.Describe(failure); got != want {
				t.Errorf("%s %s: %s, want %s", name, args, got, want)
			}
		}
	})
}

func TestMediaType(t *testing.T) {
	tools := open(t, write(t, map[string]string{"a.GiF": "", "a.G\u0130F": ""}))
	for name, want := range map[string]string{
		"a.GiF": "image/gif", "a.G\u0130F": "application/octet-stream",
	} {
		got, failure := call(t, tools["read_media_file"], map[string]any{"path": name}, -1)
		if failure != nil || got.Parts[0].MIMEType != want {
			t.Errorf("%s: %v %v, want %s", name, got.Parts, failure, want)
		}
	}
}

func TestDate(t *testing.T) {
	for _, tt := range []struct {
		nanoseconds int64
		want        string
	}{
		{20_999_600_000, "Thu Jan 01 1970 00:00:21"},
		{20_999_400_000, "Thu Jan 01 1970 00:00:20"},
		{-1, "Thu Jan 01 1970 00:00:00"},
		{-600_000, "Wed Dec 31 1969 23:59:59"},
	} {
		want := tt.want + " GMT+0000 (Coordinated Universal Time)"
		if got := date(time.Unix(0, tt.nanoseconds)); got != want {
			t.Errorf("%d ns is %s, want %s", tt.nanoseconds, got, tt.want)
		}
	}
}

func TestFileURI(t *testing.T) {
	for path, want := range map[string]string{
		"/a b/é%.x":                "file:///a%20b/%C3%A9%25.x",
		"/!$&'()*+,-.:;=@_~\"#?[]": "file:///!$&'()*+,-.:;=@_%7E%22%23%3F%5B%5D",
	} {
		if got := fileURI(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}
