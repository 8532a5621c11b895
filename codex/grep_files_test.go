package codex

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/internal/testkit/unprivileged"
	"gander/internal/toolset"
	"gander/tool"
)

// newGrep returns a caller of grep_files over the entries.
func newGrep(
	t *testing.T, o Options, entries ...string,
) (c tooltest.Caller, root string) {
	t.Helper()
	root = fixture.Make(t, entries...)
	g := newGrepFiles(tooltest.Workspace(t, []string{"**/*.pem"}, root), o.withDefaults())
	return tooltest.NewCaller(t, g, toolset.Options{}), root
}

// grep returns the text of a result, or a description of the error.
func grep(c tooltest.Caller, root, args string) string {
	c.T.Helper()
	result, err := c.Call(args, -1)
	said := result.Text()
	if err != nil {
		said = tooltest.Describe(err)
	}
	if result.NothingFound != strings.HasPrefix(said, "No matches found") {
		c.T.Errorf("%s: nothing found %t: %s", args, result.NothingFound, said)
	}
	return strings.ReplaceAll(said, root, "ROOT")
}

func TestGrepFilesErrors(t *testing.T) {
	c, root := newGrep(t, Options{}, "f", "d/x.pem", "pipe|", "away => /etc",
		"loop => loop", "shut.pem")
	tooltest.CheckErrors(t, "grep_files.txt", root, c.Fail)
	const failed = "bad_arguments: rg failed: "
	for args, want := range map[string]string{ // the rest of a message is gander's own
		`{"pattern":"x("}`:                         failed,
		`{"pattern":"x","include":"["}`:            failed,
		`{"pattern":"x","path":"f","include":"{"}`: failed,
		`{"pattern":"x","path":"shut.pem"}`:        "denied: unable to access `ROOT/shut.pem`: ",

		`{"pattern":"` + strings.Repeat("a", 900_000) + `("}`:           failed,
		`{"pattern":"[` + strings.Repeat(`\\w`, 500_000) + `]"}`:        failed,
		`{"pattern":"x","include":null,"path":null,"limit":4294967296}`: "No matches found",
	} {
		got := grep(c, root, args)
		if !strings.HasPrefix(got, want) || len(got) == len(want) || len(got) > 1000 {
			t.Errorf("%.100s: got %.300s", args, got)
		}
	}
}

func TestGrepFilesUnreadable(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		c, root := newGrep(t, Options{},
			"d/in 0000", "d/ok", "shut/in", "shut/ 0000", "names/in", "names/ 0444")
		const unable = "denied: unable to access `%s`: Permission denied (os error 13)"
		const failed = "denied: rg failed: %s: Permission denied (os error 13)"
		for path, want := range map[string]string{
			"": "ROOT/d/ok", "names": "No matches found.", "d/in": failed, "shut": failed,
			"shut/in": unable, "names/in": unable, "shut/none": unable,
		} {
			want = strings.ReplaceAll(want, "%s", "ROOT/"+path)
			args := fmt.Sprintf(`{"pattern":".","path":%q}`, path)
			if got := grep(c, root, args); got != want {
				t.Errorf("%s\ngot  %s\nwant %s", args, got, want)
			}
		}
	})
}

// TestRustTexts checks that a missing permission and a forbidden operation differ, as in Rust.
func TestRustTexts(t *testing.T) {
	for err, want := range map[error]string{
		syscall.EPERM:  "Operation not permitted (os error 1)",
		syscall.EACCES: "Permission denied (os error 13)",
	} {
		if got := rustTexts.Of(err); got != want {
			t.Errorf("%v: got %s, want %s", err, got, want)
		}
	}
}

// TestGlobPrefix checks the start of the paths that a glob is matched with.
func TestGlobPrefix(t *testing.T) {
	top := fixture.Make(t, "a/", "ab/", "link => a")
	w := tooltest.Workspace(t, nil, top+"/link", top+"/ab")
	g := newGrepFiles(w, Options{}.withDefaults())
	for path, want := range map[string]string{
		"/link": "", "/link/": "", "/link/src": "src/", "/a/src/": "src/", "/a//src": "/src/",
		"/ab": "b/", "/ab/src": "b/src/",
	} {
		if got := g.globPrefix(top + path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

// TestGrepFilesPage checks that the newest files are first, that a name takes one line unless names
// are verbatim, and that a result over the budget is cut after a line.
func TestGrepFilesPage(t *testing.T) {
	for want, o := range map[string]Options{
		"ROOT/a\nROOT/b\\nc":        {GrepFiles: GrepFilesOptions{Limit: 2}},
		"ROOT/a\nROOT/b\nc\nROOT/d": {VerbatimNames: true},
	} {
		names := []string{"a", "b\nc", "d"}
		c, root := newGrep(t, o, names...)
		for i, name := range names {
			at := time.Unix(int64(100-i), 0)
			fixture.Must(t, os.Chtimes(root+"/"+name, at, at))
		}
		if got := grep(c, root, `{"pattern":"."}`); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if o.VerbatimNames {
			continue
		}
		c.CheckLimits(`{"pattern":"."}`, 0, func(int) string {
			return "search for less, or raise the limit"
		})
	}
}

// TestGrepFilesTimeout checks that the published time limit has the published message.
func TestGrepFilesTimeout(t *testing.T) {
	g := newGrepFiles(open(t, t.TempDir()), Options{}.withDefaults())
	g.timeout = time.Nanosecond
	_, err := g.Call(t.Context(), tool.Call{Args: []byte(`{"pattern":"."}`)})
	if err == nil || err.Error() != "rg timed out after 0 seconds" {
		t.Errorf("got %v", err)
	}
}
