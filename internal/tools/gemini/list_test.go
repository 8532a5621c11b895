//go:build unix

package gemini

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// TestOrderAsNode compares the order of random directories with that of Node.js: directories first, then by localeCompare in
// en-US, then by bytes.
func TestOrderAsNode(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	parts := []string{"a", "A", "b", "Z", "é", "É", "ä", "ß", "ñ", "0", "9", "10", "_", "-", ".", " ", "(", "~", "$", "漢", "か", "カ", "я", "Ω", "😀", "'", "e\u0301", "ﬁ", "ⅷ", "\u00ad"}
	var questions [][2][]string // directories and files of each directory
	var roots []string
	for range 12 {
		root := t.TempDir()
		taken := map[string]bool{}
		var q [2][]string
		for range 80 {
			var name string
			for range 1 + r.IntN(4) {
				name += parts[r.IntN(len(parts))]
			}
			if taken[name] || name == "." || name == ".." {
				continue
			}
			taken[name] = true
			kind := r.IntN(2)
			q[kind] = append(q[kind], name)
			write(t, root, map[string]string{name + []string{"/", ""}[kind]: ""})
		}
		questions, roots = append(questions, q), append(roots, root)
	}
	var want [][2][]string
	askNode(t, `
		const order = (a, b) => a.localeCompare(b, "en-US") || Buffer.compare(Buffer.from(a), Buffer.from(b));
		console.log(JSON.stringify(questions.map(kinds => kinds.map(names => names.sort(order)))));`, questions, &want)
	for i, root := range roots {
		got, _ := lines(over(t, root).body(arguments{"path": root}))
		var expected []string
		for _, name := range want[i][0] {
			expected = append(expected, "[DIR] "+name)
		}
		if expected = append(expected, want[i][1]...); !slices.Equal(got, expected) {
			t.Fatalf("got  %q\nwant %q", got, expected)
		}
	}
}

// TestEntries checks how entries of every kind are shown.
func TestEntries(t *testing.T) {
	other := fixture.Make(t, "there")
	root := fixture.Make(t, "dir/", "file", "pipe|", "todir => dir", "tofile => {root}/file", "tochain => todir", "broken => none", "loop => loop",
		"toother => "+other, "out => /etc", "outfile => /etc/passwd", "gone => /no/such/place", "secret/x", "tosecret => secret", "throughsecret => secret/x", "\xff")
	c := newCaller(t, tooltest.Workspace(t, []string{"**/secret"}, root, other), verbatimSettings())
	want := "[DIR] dir [DIR] secret [DIR] tochain [DIR] todir [DIR] toother [DIR] tosecret file gone out outfile pipe throughsecret tofile"
	if got := strings.ReplaceAll(c.body(arguments{"path": root}), "\n", " "); got != want {
		t.Errorf("\ngot  %s\nwant %s", got, want)
	}
}

// TestNames checks that an entry takes one line whatever its name is, unless names are verbatim, and so does the path of the
// call where an error repeats it.
func TestNames(t *testing.T) {
	root := fixture.Make(t, "a\nb/", "c\r", "d\u202ee", "f\x1b[0m", "g\u2028", "漢\"\\")
	for verbatim, want := range map[bool]string{
		false: `[DIR] a\nb|c\r|d\u202ee|f\u001b[0m|g\u2028|漢"\`,
		true:  "[DIR] a\nb|c\r|d\u202ee|f\x1b[0m|g\u2028|漢\"\\",
	} {
		s := verbatimSettings()
		s.VerbatimNames = verbatim
		c := newCaller(t, tooltest.Workspace(t, nil, root), s)
		if got := c.body(arguments{"path": root}); got != strings.ReplaceAll(want, "|", "\n") {
			t.Errorf("verbatim %v\ngot  %q\nwant %q", verbatim, got, want)
		}
		path := map[bool]string{false: `/x\ny`, true: "/x\ny"}[verbatim]
		if _, err := c.Call(arguments{"path": root + "/x\ny"}.json(t), -1); err == nil || !strings.HasSuffix(err.Message, "stat '"+root+path+"'") {
			t.Errorf("verbatim %v: %v", verbatim, err)
		}
	}
}

// TestGlobsAndIgnoreFiles checks that entries that an ignore file hides are counted and that those that only a glob hides
// are not.
func TestGlobsAndIgnoreFiles(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{".git/": "", ".gitignore": "*.log\n", "a.log": "", "b.log": "", "b.txt": "", "c": ""})
	c := over(t, root)
	for _, tt := range []struct {
		ignore        []string
		body, display string
	}{
		{[]string{}, ".gitignore\nb.txt\nc\n\n(3 ignored)", "Listed 3 item(s). (3 ignored)"},
		{[]string{"b*"}, ".gitignore\nc\n\n(3 ignored)", "Listed 2 item(s). (3 ignored)"},
		{[]string{"c", ".g*", "b.???"}, "\n\n(3 ignored)", "Listed 0 item(s). (3 ignored)"},
	} {
		a := arguments{"path": root, "ignore": tt.ignore}
		result, err := c.Call(a.json(t), -1)
		if err != nil || c.body(a) != tt.body || result.Display != tt.display || result.Truncated {
			t.Errorf("%q: got %q, %q, %v", tt.ignore, c.body(a), result.Display, err)
		}
	}
}

// TestEveryLimit checks for every limit that the answer is either complete or its beginning with a notice.
func TestEveryLimit(t *testing.T) {
	var many []string
	for i := range 40 {
		many = append(many, fmt.Sprintf("%s%d%s", strings.Repeat("é", i%7), i, []string{"", "/", "\n"}[i%3]))
	}
	for _, entries := range [][]string{many, {"a"}, {}, {"dir/", "x\u202e"}} {
		root := fixture.Make(t, entries...)
		for _, verbatim := range []bool{false, true} {
			s := verbatimSettings()
			s.VerbatimNames = verbatim && len(entries) < 3 // otherwise an entry might take several lines
			c := newCaller(t, tooltest.Workspace(t, nil, root), s)
			args := arguments{"path": root}.json(t)
			whole, failure := c.Call(args, -1)
			if failure != nil {
				t.Fatal(failure)
			}
			for limit := range len(whole.Text()) + 2 {
				checkLimited(t, c, args, limit, whole, len(entries))
			}
		}
	}
}

func checkLimited(t *testing.T, c caller, args string, limit int, whole tool.Result, entries int) {
	t.Helper()
	got, err := c.Call(args, limit)
	switch {
	case err != nil:
		want := fmt.Sprintf("Error listing directory: the output limit of %d bytes is too small for any answer; raise it", limit)
		first := strings.Join(strings.SplitN(whole.Text(), "\n", 3)[:min(entries, 1)+1], "\n")
		if err.Message != want || limit >= len(whole.Text()) || limit > len(first)+130 {
			t.Fatalf("within %d of %d: %v", limit, len(whole.Text()), err)
		}
	case got.Display != whole.Display || len(got.Text()) > limit || !utf8.ValidString(got.Text()):
		t.Fatalf("within %d: %q, %q", limit, got.Display, got.Text())
	case limit >= len(whole.Text()):
		if !reflect.DeepEqual(got, whole) {
			t.Fatalf("within %d\ngot  %q\nwant %q", limit, got.Text(), whole.Text())
		}
	default:
		shown := strings.Count(got.Text(), "\n") - 1
		kept := strings.Join(strings.Split(whole.Text(), "\n")[:shown+1], "\n")
		notice := fmt.Sprintf("\n[gander: output limit of %d bytes reached; %d of %d entries shown; leave some out with ignore, or list a subdirectory]", limit, shown, entries)
		if got.Text() != kept+notice || !got.Truncated || shown < 1 {
			t.Fatalf("within %d\ngot  %q\nwant %q", limit, got.Text(), kept+notice)
		}
	}
}

// TestLargeDirectory checks that a small answer about many entries has the first ones in order.
func TestLargeDirectory(t *testing.T) {
	root := t.TempDir()
	for i := range 1200 {
		name := fmt.Sprintf("%d-%s", (i*7919)%1200, []string{"a", "é"}[i%2])
		if err := os.WriteFile(filepath.Join(root, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := over(t, root)
	args := arguments{"path": root}.json(t)
	whole, failure := c.Call(args, -1)
	if failure != nil {
		t.Fatal(failure)
	}
	for _, limit := range []int{250, 300, 1000, 5000, len(whole.Text()) - 1, len(whole.Text())} {
		checkLimited(t, c, args, limit, whole, 1200)
	}
}
