package load

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// starving is the environment variable of the child process of [TestOutOfHandles], which has few
// file handles.
const starving = "GANDER_TEST_STARVING"

// TestIdleConnections opens more connections than the process has file handles. They send at most
// half a request. Other clients must still be served.
func TestIdleConnections(t *testing.T) {
	root := fixture.Make(t)
	testkit.Must(t, os.WriteFile(root+"/small", []byte("small\n"), 0o644))
	server := startServing(t, root, fewHandles+"=256")
	for i := range 300 {
		_, dialer := clientFrom(2 + i%8)
		conn, err := dialer.DialContext(t.Context(), "tcp", server.addr)
		testkit.Must(t, err)
		defer conn.Close()
		if i%2 == 0 {
			_, err := io.WriteString(conn, "POST /mcp HTTP/1.1\r\nX: ")
			testkit.Must(t, err)
		}
	}
	start := time.Now()
	ordinary := newOrdinary(t, server.addr, root)
	for range 20 {
		ordinary.call(t)
	}
	if took := time.Since(start); took > slowest {
		t.Errorf("20 ordinary calls took %v", took)
	}
}

// TestOutOfHandles makes calls in a process without free file handles. They must fail with a clear
// message, and succeed when handles are free again.
func TestOutOfHandles(t *testing.T) {
	if os.Getenv(starving) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestOutOfHandles$", "-test.v")
		cmd.Env = append(os.Environ(), starving+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: TestOutOfHandles") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	root := fixture.Make(t, "a/b/c/f", "a/f", "l => a/b", ".git/info/exclude", ".gitignore")
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: []string{"all"}})
	calls := map[string]string{
		"gander/list_dir":       `{"depth":5}`,
		"gander/read_file":      `{"path":"l/c/f"}`,
		"gander/find_files":     `{"pattern":"**"}`,
		"gander/search_text":    `{"pattern":"."}`,
		"codex/list_dir":        `{"dir_path":"` + root + `/l","depth":5}`,
		"codex/read_file":       `{"file_path":"` + root + `/l/c/f"}`,
		"codex/grep_files":      `{"pattern":"."}`,
		"gemini/list_directory": `{"path":"` + root + `/a"}`,
		"forge/list_directory":  `{"path":".","recursive":true}`,
		"toolkit/tree":          `{"path":".","entry_kind":"all"}`,

		"filesystem/read_text_file":            `{"path":"l/c/f"}`,
		"filesystem/read_media_file":           `{"path":"l/c/f"}`,
		"filesystem/list_directory":            `{"path":"l"}`,
		"filesystem/list_directory_with_sizes": `{"path":"l"}`,
		"filesystem/directory_tree":            `{"path":"."}`,
		"filesystem/get_file_info":             `{"path":"l/c/f"}`,
	}
	want := map[string]string{}
	call := func(id string) (string, *tool.Error) {
		result, err := toolset.Call(t.Context(), id, []byte(calls[id]))
		var e *tool.Error
		errors.As(err, &e)
		return result.Text(), e
	}
	for id := range calls {
		content, e := call(id)
		if e != nil {
			t.Fatalf("%s: %v", id, e)
		}
		want[id] = content
	}
	testkit.Must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 64, Max: 64}))
	var hoard []int
	for {
		n, err := unix.Open("/dev/null", unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if errors.Is(err, unix.EMFILE) {
			break
		}
		testkit.Must(t, err)
		hoard = append(hoard, n)
	}
	for free := range 12 {
		for id := range calls {
			content, e := call(id)
			switch {
			case e != nil && (e.Kind != tool.Failed || !errors.Is(e, syscall.EMFILE) ||
				!containsAny(e.Message, "many open files", "EMFILE")):
				t.Errorf("%s with %d handles: %s, %v", id, free, e.Kind, e)
			case e == nil && free == 0:
				t.Errorf("%s with no handle: %q", id, content)
			case e == nil && content != want[id] && id != "gemini/list_directory" &&
				!containsAny(content, "many open files", `"error_code":"`):
				t.Errorf("%s with %d handles does not report the error: %q", id, free, content)
			case free == 11 && content != want[id]:
				t.Errorf("%s with %d handles: %q, %v", id, free, content, e)
			}
		}
		testkit.Must(t, unix.Close(hoard[free]))
	}
}

func containsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}
