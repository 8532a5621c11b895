package boundary

import (
	"encoding/json"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// TestBoundaryRace calls every tool while directories, files and an ignore file are exchanged for
// symlinks outside. No output may reveal anything outside. GANDER_RACE sets the duration, for
// example to "20s".
func TestBoundaryRace(t *testing.T) {
	lasts := 400 * time.Millisecond
	if s := os.Getenv("GANDER_RACE"); s != "" {
		var err error
		if lasts, err = time.ParseDuration(s); err != nil {
			t.Fatal(err)
		}
	}
	outside := fixture.Make(
		t, "dir/SECRET", "dir/leaf", "dir/sub/SECRET", "dir/sub/leaf", "leaf", "ignore",
	)
	for _, leaf := range []string{"/dir/leaf", "/dir/sub/leaf", "/leaf", "/ignore"} {
		// leak recognizes these files by content, size and time; as an ignore file, the content
		// would hide canary.
		content := "canary\n" + strings.Repeat("SECRET\n", secretSize/7)
		if err := os.WriteFile(outside+leaf, []byte(content[:secretSize]), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(
			outside+leaf, time.UnixMilli(secretTime), time.UnixMilli(secretTime),
		); err != nil {
			t.Fatal(err)
		}
	}
	root := fixture.Make(t,
		".git/", "top/dir/leaf", "top/dir/sub/leaf", "top/leaf", ".geminiignore", "canary",
		"link => top/dir", "top/dir.other => "+outside+"/dir", "up/dir/leaf", "up.other => "+outside,
		"top/dir/sub.other => "+outside+"/dir/sub", "top/leaf.other => "+outside+"/leaf",
		".geminiignore.other => "+outside+"/ignore",
	)
	toolset := testkit.Open(t, gander.Options{Roots: []string{root, root + "/top"}})

	var over atomic.Bool
	time.AfterFunc(lasts, func() { over.Store(true) })
	var all sync.WaitGroup
	var swaps, calls, answers atomic.Int64
	for _, path := range []string{"/top/dir", "/top/leaf", "/up", "/.geminiignore"} {
		all.Go(func() {
			for !over.Load() {
				// The exchange is atomic, so one or the other always exists.
				err := unix.Renameat2(
					unix.AT_FDCWD, root+path, unix.AT_FDCWD, root+path+".other", unix.RENAME_EXCHANGE,
				)
				if err != nil {
					t.Error(path, err)
					return
				}
				swaps.Add(1)
			}
		})
	}
	for id, requests := range map[string][]string{
		"gander/list_dir": {
			"", "/top", "/top/dir", "/top/dir/sub", "/link/sub", "/up/dir", "/top/leaf",
		},
		"gander/read_file": {
			"/top/leaf", "/top/dir/leaf:1", "/top/dir/sub/leaf", "/link/leaf", "/top/dir", "/up/dir/leaf",
		},
		"gander/find_files":  {"", "/top", "/top/dir", "/link/sub", "/up/dir", "/top/leaf"},
		"gander/search_text": {"", "/top", "/top/dir", "/link/sub", "/up/dir", "/top/leaf"},
		"codex/list_dir":     {"", "/top", "/top/dir", "/top/dir/sub", "/link/sub", "/up/dir"},
		"codex/read_file": {
			"/top/leaf", "/top/dir/leaf", "/top/dir/sub/leaf", "/link/leaf", "/top/dir/../leaf",
			"/up/dir/leaf", "/.geminiignore",
		},
		"gemini/list_directory": {"", "/top", "/top/dir", "/top/dir/sub", "/link", "/up/dir"},
		"forge/list_directory":  {"", "/top", "/top/dir", "/top/dir/sub", "/link", "/up/dir"},
		"toolkit/tree":          {"", "/top", "/top/dir", "/top/dir/sub", "/link/sub", "/up/dir"},
		"codex/grep_files":      {"", "/top", "/top/dir", "/link/sub", "/up/dir", "/top/leaf"},

		"filesystem/read_text_file": {
			"/top/leaf", "/top/dir/leaf", "/top/dir/sub/leaf", "/link/leaf", "/up/dir/leaf",
			"/.geminiignore",
		},
		"filesystem/list_directory_with_sizes": {
			"", "/top", "/top/dir", "/top/dir/sub", "/link", "/up/dir",
		},
		"filesystem/directory_tree": {
			"", "/top", "/top/dir", "/top/dir/sub", "/link/sub", "/up/dir",
		},
		"filesystem/search_files": {"", "/top", "/top/dir", "/link/sub", "/up/dir"},
	} {
		more := map[string]string{
			"codex/list_dir":       `{"depth":5,"limit":100}`,
			"forge/list_directory": `{"recursive":true,"include_hidden":true}`,
			"toolkit/tree":         `{"entry_kind":"all","max_depth":5,"include_hidden":true}`,
			"gander/list_dir":      `{"depth":5,"details":true,"ignored":true}`,
			"gander/find_files":    `{"pattern":"**","ignored":true}`,
			"gander/search_text":   `{"pattern":".","ignored":true}`,
			"codex/grep_files":     `{"pattern":"."}`, "filesystem/search_files": `{"pattern":"**"}`,
		}[id]
		all.Go(func() {
			for i := 0; !over.Load() && !t.Failed(); i++ {
				path := requests[i%len(requests)]
				args := object{}
				if more != "" {
					if err := json.Unmarshal([]byte(more), &args); err != nil {
						t.Error(err)
						return
					}
				}
				key, ok := testkit.PathArguments()[id]
				if !ok {
					key = "path"
				}
				args[key] = root + path
				raw, err := json.Marshal(args)
				if err != nil {
					t.Error(err)
					return
				}
				result, err := toolset.Call(t.Context(), id, raw)
				calls.Add(1)
				output := result.Text()
				if err != nil {
					output = err.Error()
				} else {
					answers.Add(1)
				}
				if leaked := leak(output, root); leaked != "" {
					t.Errorf("%s of %s tells %s:\n%s", id, path, leaked, output)
				}
				if id == "gemini/list_directory" && path == "" && err == nil &&
					!strings.Contains(output, "\ncanary") {
					t.Errorf("an ignore file outside was read:\n%s", output)
				}
			}
		})
	}
	all.Go(func() {
		for i := 0; !over.Load() && !t.Failed(); i++ {
			output, found := searched(
				t, toolset, root+[]string{"", "/top", "/top/dir", "/link/sub", "/up/dir", "/top/leaf"}[i%6],
			)
			calls.Add(1)
			if found {
				answers.Add(1)
			}
			if leaked := leak(output, root); leaked != "" {
				t.Errorf("searching tells %s:\n%s", leaked, output)
			}
		}
	})
	all.Wait()
	t.Logf(
		"%d calls, %d of them answered, %d swaps, no leak", calls.Load(), answers.Load(), swaps.Load(),
	)
	if answers.Load() == 0 || swaps.Load() == 0 {
		t.Error("nothing was ever read, or nothing ever swapped")
	}
}
