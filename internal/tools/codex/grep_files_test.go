package codex

import (
	"fmt"
	"os"
	"strings"
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
	t *testing.T, s GrepFilesSettings, entries ...string,
) (c tooltest.Caller, root string) {
	t.Helper()
	root = fixture.Make(t, entries...)
	g := NewGrepFiles(tooltest.Workspace(t, []string{"**/*.pem"}, root), s)
	return tooltest.NewCaller(t, g, toolset.Options{}), root
}

// grep returns the text of a result, or a description of the error.
func grep(c tooltest.Caller, root, args string, limit int) string {
	c.T.Helper()
	result, err := c.Call(args, limit)
	said := result.Text()
	if err != nil {
		said = tooltest.Describe(err)
	}
	return strings.ReplaceAll(said, root, "ROOT")
}

func TestGrepFilesErrors(t *testing.T) {
	c, root := newGrep(t, DefaultGrepFilesSettings(), "f", "d/x.pem", "pipe|", "away => /etc",
		"loop => loop", "shut.pem")
	tooltest.CheckErrors(t, "grep_files.txt", root, c.Fail)
	const null = `{"pattern":"x","include":null,"path":null}`
	if got := grep(c, root, null, -1); got != "No matches found." {
		t.Errorf("%s: got %s", null, got)
	}
	const failed = "bad_arguments: rg failed: "
	for args, want := range map[string]string{ // the rest of a message is gander's own
		`{"pattern":"x("}`:                         failed,
		`{"pattern":"x","include":"["}`:            failed,
		`{"pattern":"x","path":"f","include":"{"}`: failed,
		`{"pattern":"x","path":"shut.pem"}`:        "denied: rg failed: ROOT/shut.pem: ",
		strings.Repeat("a", 900_000) + "(":         failed,
		"[" + strings.Repeat(`\\w`, 500_000) + "]": failed,
		strings.Repeat("a", 8000) + "(":            failed,
	} {
		if args[0] != '{' {
			args = `{"pattern":"` + args + `"}`
		}
		got := grep(c, root, args, -1)
		if !strings.HasPrefix(got, want) || len(got) == len(want) || len(got) > 1000 {
			t.Errorf("%.100s: got %.300s", args, got)
		}
	}
}

func TestGrepFilesUnreadable(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		c, root := newGrep(t, DefaultGrepFilesSettings(),
			"d/in 0000", "d/ok", "shut/in", "shut/ 0000", "names/in", "names/ 0444")
		for path, want := range map[string]string{
			"":          "ROOT/d/ok",
			"d/in":      "denied: rg failed: %s",
			"shut":      "denied: rg failed: %s",
			"shut/in":   "denied: unable to access `%s`",
			"names":     "No matches found.",
			"names/in":  "denied: unable to access `%s`",
			"shut/none": "denied: unable to access `%s`",
		} {
			if strings.HasPrefix(want, "denied") {
				want = fmt.Sprintf(want, "ROOT/"+path) + ": Permission denied (os error 13)"
			}
			args := fmt.Sprintf(`{"pattern":".","path":%q}`, path)
			if got := grep(c, root, args, -1); got != want {
				t.Errorf("%s\ngot  %s\nwant %s", args, got, want)
			}
		}
	})
}

// TestGrepFilesPage checks that a result over the budget is cut after a line, which a name with a
// line feed does not break.
func TestGrepFilesPage(t *testing.T) {
	s := DefaultGrepFilesSettings()
	verbatim := s
	s.Limit, verbatim.VerbatimNames = 2, true
	for want, s := range map[string]GrepFilesSettings{
		"ROOT/a\nROOT/b\\nc": s, "ROOT/a\nROOT/b\nc\nROOT/d": verbatim,
	} {
		names := []string{"a", "b\nc", "d"}
		c, root := newGrep(t, s, names...)
		for i, name := range names {
			at := time.Unix(int64(100-i), 0)
			if err := os.Chtimes(root+"/"+name, at, at); err != nil {
				t.Fatal(err)
			}
		}
		if got := grep(c, root, `{"pattern":"."}`, -1); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	var entries []string
	for i := range 20 {
		entries = append(entries, fmt.Sprintf("file%02d", i))
	}
	c, root := newGrep(t, DefaultGrepFilesSettings(), entries...)
	whole := grep(c, root, `{"pattern":"."}`, -1)
	limit := 20*(len(root)+len("/file00\n")) - 2
	shown, notice, cut := strings.Cut(grep(c, root, `{"pattern":"."}`, limit), "\n[")
	want := fmt.Sprintf("gander: output limit of %d bytes reached; "+
		"search for less, or raise the limit]", limit)
	if !cut || !strings.HasPrefix(whole, shown+"\n") || notice != want {
		t.Errorf("cut: %q, %q", shown, notice)
	}
}

// TestGrepFilesTimeout checks that the published time limit has the published message.
func TestGrepFilesTimeout(t *testing.T) {
	g := NewGrepFiles(open(t, t.TempDir()), DefaultGrepFilesSettings())
	g.timeout = time.Nanosecond
	_, err := g.Call(t.Context(), tool.Call{Args: []byte(`{"pattern":"."}`)})
	if err == nil || err.Error() != "rg timed out after 0 seconds" {
		t.Errorf("got %v", err)
	}
}
