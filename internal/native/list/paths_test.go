package list

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"gander/internal/native/call"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
)

// TestSpecialFiles checks that list_dir marks what is neither a file nor a directory, and that the
// path with the mark names it.
func TestSpecialFiles(t *testing.T) {
	root := fixture.Make(t, "pipe|", "sock=", "d/f?", "d/f")
	list := nativetest.Over(t, Tool, call.DefaultSettings(), root)
	for args, want := range map[string]string{
		`{}`:                "\npipe?\ta FIFO, socket or device\nsock?\ta FIFO, socket or device",
		`{"path":"pipe?"}`:  "pipe: a FIFO, socket or device",
		`{"path":"d/f?"}`:   "d/f?: ",
		`{"path":"pipe/x"}`: "there is no pipe/x; pipe is a FIFO, socket or device",
	} {
		if got := tooltest.Output(list, args, -1); !strings.Contains(got, want) {
			t.Errorf("%s: %q has no %q", args, got, want)
		}
	}
}

// TestListedLink checks that no link in a listing could pass for a marker.
func TestListedLink(t *testing.T) {
	root := fixture.Make(t, "[id].tsx => x/[slug]", "x/[slug]", "x/[up] => ../x", "[m] => x")
	list := nativetest.Over(t, Tool, call.DefaultSettings(), root)
	want := ": 3 entries and 2 below\n" + `\x5bid].tsx@` + "\t-> x/[slug]\n" + `\x5bm]@` +
		"\t-> x/\n" +
		"x/\n" + `  \x5bslug]` + "\n" + `  \x5bup]@` + "\t-> x/"
	if got := tooltest.Output(list, `{"depth":2}`, -1); !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPathList checks that the elements of a list are paths as they are, while a text has one path
// per line.
func TestPathList(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no name has a line feed")
	}
	root := fixture.Make(t, "a", "b", "c", "a\nb", " c ", "a b")
	list := nativetest.Over(t, Tool, call.DefaultSettings(), root)
	for args, want := range map[string][]string{
		`{"path":["a","b"]}`:          {"a", "b"},
		`{"path":["a\nb","b"]}`:       {`a\nb`, "b"},
		`{"path":["a\nb"]}`:           {`a\nb`},
		`{"path":[" c ","c"]}`:        {`\x20c\x20`, "c"},
		`{"paths":["a b"]}`:           {"a b"},
		`{"path":"a\nb"}`:             {`a\nb`},
		`{"path":" c \n\na b\r\n b"}`: {"c", "a b", "b"},
	} {
		var got []string
		for _, section := range strings.Split(tooltest.Output(list, args, -1), "\n\n") {
			path, _, _ := strings.Cut(section, ": ")
			got = append(got, path)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	for _, args := range []string{
		`{"path":[""]}`, `{"path":[]}`, `{"path":""}`, `{"path":"\n"}`, `{"path":" \n \n"}`,
	} {
		if got := tooltest.Output(list, args, -1); !strings.Contains(got, "(the root): 6 entries") {
			t.Errorf("%s: %s", args, got)
		}
	}
	many := `{"path":["a"` + strings.Repeat(`,"a"`, 50) + `]}`
	want := "bad_arguments: path must have at most 50 lines"
	if got := tooltest.Output(list, many, -1); got != want {
		t.Errorf("51 paths: %s", got)
	}
}
