package load

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/handles"
	"gander/tool"
)

// TestOutOfHandles makes calls without free file handles. They must fail with a clear message, and
// succeed when handles are free again.
func TestOutOfHandles(t *testing.T) {
	root := fixture.Make(t, "a/b/c/f", "a/f", "l => a/b", ".git/info/exclude", ".gitignore")
	toolset := openAll(t, root, gander.Limits{CacheBytes: -1})
	tools := testkit.PathTools()
	delete(tools, "filesystem/search_files") // like the original, it leaves out what it cannot read
	call := func(id string) (string, *tool.Error) {
		path := root
		switch p := tools[id]; {
		case p.Reads, id == "filesystem/get_file_info":
			path += "/l/c/f"
		case id == "gemini/list_directory", id == "toolkit/tree":
			path += "/a"
		case strings.HasPrefix(id, "filesystem/list"):
			path += "/l"
		}
		args, err := json.Marshal(tools[id].Arguments(path))
		testkit.Must(t, err)
		result, err := toolset.Call(t.Context(), id, args)
		failure, _ := errors.AsType[*tool.Error](err)
		return result.Text(), failure
	}
	want := map[string]string{}
	for id := range tools {
		var failure *tool.Error
		if want[id], failure = call(id); failure != nil {
			t.Fatalf("%s: %v", id, failure)
		}
	}
	var old unix.Rlimit
	testkit.Must(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &old))
	few := unix.Rlimit{Cur: uint64(handles.Count(t)) + 32, Max: old.Max}
	testkit.Must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &few))
	var hoard []int
	defer func() {
		for _, n := range hoard {
			_ = unix.Close(n)
		}
		_ = unix.Setrlimit(unix.RLIMIT_NOFILE, &old)
	}()
	for {
		n, err := unix.Open("/dev/null", unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if errors.Is(err, unix.EMFILE) {
			break
		}
		testkit.Must(t, err)
		hoard = append(hoard, n)
	}
	for free := range 12 {
		for id := range tools {
			text, e := call(id)
			switch {
			case e != nil && (e.Kind != tool.Failed || !errors.Is(e, syscall.EMFILE) ||
				!containsAny(e.Message, "many open files", "EMFILE")):
				t.Errorf("%s with %d handles: %s, %v", id, free, e.Kind, e)
			case e == nil && free == 0:
				t.Errorf("%s with no handle: %q", id, text)
			case e == nil && text != want[id] && id != "gemini/list_directory" &&
				!containsAny(text, "many open files", `"error_code":"`):
				t.Errorf("%s with %d handles does not report the error: %q", id, free, text)
			case free == 11 && text != want[id]:
				t.Errorf("%s with %d handles: %q, %v", id, free, text, e)
			}
		}
		testkit.Must(t, unix.Close(hoard[0]))
		hoard = hoard[1:]
	}
}

func containsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}
