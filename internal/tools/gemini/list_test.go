package gemini

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// TestEntries checks the visible entries and their kinds.
func TestEntries(t *testing.T) {
	other := t.TempDir()
	root := fixture.Make(t, "dir/", "file", "pipe|", "todir => dir", "tofile => {root}/file",
		"tochain => todir", "broken => none", "loop => loop", "toother => "+other, "out => /etc",
		"outfile => /etc/passwd", "gone => /no/such/place", "secret/x", "tosecret => secret",
		"throughsecret => secret/x", "\xff")
	w := tooltest.Workspace(t, []string{"**/secret"}, root, other)
	want := "[DIR] dir [DIR] secret [DIR] tochain [DIR] todir [DIR] toother [DIR] tosecret " +
		"file gone out outfile pipe throughsecret tofile"
	got := newCaller(t, w, verbatimSettings()).body(arguments{"path": root})
	if got = strings.ReplaceAll(got, "\n", " "); got != want {
		t.Errorf("\ngot  %s\nwant %s", got, want)
	}
}

// TestNames checks that an entry and the path in an error take one line unless names are verbatim.
func TestNames(t *testing.T) {
	root := fixture.Make(t, "a\nb/", "c\r", "d\u202ee", "f\x1b[0m", "g\u2028", "漢\"\\")
	for want, s := range map[string]Settings{
		`[DIR] a\nb|c\r|d\u202ee|f\u001b[0m|g\u2028|漢"\`: DefaultSettings(),
		"[DIR] a\nb|c\r|d\u202ee|f\x1b[0m|g\u2028|漢\"\\": verbatimSettings(),
	} {
		c := newCaller(t, tooltest.Workspace(t, nil, root), s)
		got := c.body(arguments{"path": root})
		if got != strings.ReplaceAll(want, "|", "\n") {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		path := root + `/x\ny`
		if s.VerbatimNames {
			path = root + "/x\ny"
		}
		_, err := c.Call(arguments{"path": root + "/x\ny"}.json(t), -1)
		if err == nil || !strings.HasSuffix(err.Message, "stat '"+path+"'") {
			t.Errorf("verbatim %v: %v", s.VerbatimNames, err)
		}
	}
}

// TestEveryLimit checks that a result is complete, or the beginning with a notice.
func TestEveryLimit(t *testing.T) {
	var some, many []string
	for i := range 1200 {
		mark := []string{"", "/", "\u202e"}[i%3]
		if i < 40 {
			some = append(some, fmt.Sprintf("%s%d%s", strings.Repeat("é", i%7), i, mark))
		}
		many = append(many, fmt.Sprintf("%d-%s", (i*7919)%1200, []string{"a", "é"}[i%2]))
	}
	for _, entries := range [][]string{some, {"a"}, {}, {"dir/", "x\u202e"}, many} {
		root := fixture.Make(t, entries...)
		c := newCaller(t, tooltest.Workspace(t, nil, root), DefaultSettings())
		args := arguments{"path": root}.json(t)
		whole, failure := c.Call(args, -1)
		if failure != nil {
			t.Fatal(failure)
		}
		size, step := len(whole.Text()), 1
		if testing.Short() {
			step = 29
		}
		if len(entries) > 100 {
			step = 997
		}
		for limit := 0; limit < size+2; limit += step {
			checkLimited(t, c, args, limit, whole, len(entries))
		}
		checkLimited(t, c, args, size-1, whole, len(entries))
	}
}

func checkLimited(
	t *testing.T, c caller, args string, limit int, whole tool.Result, entries int,
) {
	t.Helper()
	got, err := c.Call(args, limit)
	size := len(whole.Text())
	switch {
	case err != nil:
		const format = "Error listing directory: the output limit of %d bytes is too small " +
			"for any answer; raise it"
		lines := strings.SplitN(whole.Text(), "\n", 3)
		first := len(strings.Join(lines[:min(entries, 1)+1], "\n"))
		if err.Message != fmt.Sprintf(format, limit) || limit >= size || limit > first+130 {
			t.Fatalf("within %d of %d: %v", limit, size, err)
		}
	case got.Display != whole.Display || len(got.Text()) > limit || !utf8.ValidString(got.Text()):
		t.Fatalf("within %d: %q, %q", limit, got.Display, got.Text())
	case limit >= size:
		if !reflect.DeepEqual(got, whole) {
			t.Fatalf("within %d\ngot  %q\nwant %q", limit, got.Text(), whole.Text())
		}
	default:
		shown := strings.Count(got.Text(), "\n") - 1
		kept := strings.Join(strings.Split(whole.Text(), "\n")[:shown+1], "\n")
		notice := fmt.Sprintf("\n[gander: output limit of %d bytes reached; %d of %d entries shown; "+
			"leave some out with ignore, or list a subdirectory]", limit, shown, entries)
		if got.Text() != kept+notice || !got.Truncated || shown < 1 {
			t.Fatalf("within %d\ngot  %q\nwant %q", limit, got.Text(), kept+notice)
		}
	}
}
