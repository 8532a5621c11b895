package native

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
)

// TestRemovedRoot checks that the errors after a root has been removed name it.
func TestRemovedRoot(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not remove an open directory")
	}
	root := fixture.Make(t, "one/f", "two/f")
	w := tooltest.Workspace(t, nil, root+"/one", root+"/two")
	if err := os.RemoveAll(root + "/one"); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(root + "/two"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"list_dir", "read_file", "find_files", "search_text"} {
		tool := newEnvironment(w).caller(t, name)
		for path, want := range map[string]string{
			"": root + "/one", ".": root + "/one", "f": root + "/one", root + "/two": root + "/two",
			root + "/two/f": root + "/two",
		} {
			args := `{"path":"` + path + `","pattern":"x"}`
			if name == "list_dir" || name == "read_file" {
				args = `{"path":"` + path + `"}`
			}
			if path == "" && name == "read_file" {
				continue
			}
			result := output(tool, args, -1)
			if !strings.HasPrefix(result, "not_found: ") || !strings.Contains(result, want) {
				t.Errorf("%s %s: %s", name, args, result)
			}
		}
	}
}

// TestReadingOrder checks which of two existing files a path names. A path of a result names the
// file that the result was about; any other path names the file of that name.
func TestReadingOrder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a backslash is a separator")
	}
	root := fixture.Make(t, `aA`, `a\x41`, "b\nb", `b\nb`, `c\\c`, `c\c`, "d d", `d\x20d`, `e\x2`,
		"[m]", `\x5bm]`)
	e := newEnvironment(tooltest.Workspace(t, nil, root))
	for given, want := range map[string]string{
		`a\x41`: `a\x41`, `b\nb`: "b\nb", `b\\nb`: `b\nb`, `c\\c`: `c\c`, `c\\\\c`: `c\\c`,
		`d\x20d`: `d\x20d`, `e\x2`: `e\x2`, `a\u0041`: "aA", `./a\x41`: `a\x41`, `\x5bm]`: "[m]",
	} {
		found, err := e.newCall(t).find(given)
		if err != nil || found.location.Path() != want {
			t.Errorf("%q: %q, %v, want %q", given, found.location.Path(), err, want)
		}
	}
}

// TestSpecialFiles checks that list_dir marks what is neither a file nor a directory, and that the
// path with the mark names it.
func TestSpecialFiles(t *testing.T) {
	root := fixture.Make(t, "pipe|", "sock=", "d/f?", "d/f")
	list := toolOf(t, DefaultSettings(), "list_dir", root)
	for args, want := range map[string]string{
		`{}`:                "\npipe?\ta FIFO, socket or device\nsock?\ta FIFO, socket or device",
		`{"path":"pipe?"}`:  "pipe: a FIFO, socket or device",
		`{"path":"d/f?"}`:   "d/f?: ",
		`{"path":"pipe/x"}`: "there is no pipe/x; pipe is a FIFO, socket or device",
	} {
		if got := output(list, args, -1); !strings.Contains(got, want) {
			t.Errorf("%s: %q has no %q", args, got, want)
		}
	}
}

// TestListedLink checks that no link in a listing could pass for a marker.
func TestListedLink(t *testing.T) {
	root := fixture.Make(t, "[id].tsx => x/[slug]", "x/[slug]", "x/[up] => ../x", "[m] => x")
	list := toolOf(t, DefaultSettings(), "list_dir", root)
	want := ": 3 entries and 2 below\n" + `\x5bid].tsx@` + "\t-> x/[slug]\n" + `\x5bm]@` + "\t-> x/\n" +
		"x/\n" + `  \x5bslug]` + "\n" + `  \x5bup]@` + "\t-> x/"
	if got := output(list, `{"depth":2}`, -1); !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestDirectoryMarkers checks that each marker of a directory that read_file lists leads to what it
// leaves out.
func TestDirectoryMarkers(t *testing.T) {
	root := fixture.Make(t, ".git/", "d/a", "d/b", "d/c", "d/x.log", "e/y.log")
	put(t, root, ".gitignore", "*.log\n")
	e := newEnvironment(tooltest.Workspace(t, nil, root))
	read, list := e.caller(t, "read_file"), e.caller(t, "list_dir")
	for args, want := range map[string]string{
		`{"path":"d","limit":2}`: "d/: entries 1-2 of 3; continue with offset=3\na\nb\n" +
			"[1 more; continue with offset=3]\n" + `[1 ignored; list_dir path="d" ignored=true includes them]`,
		`{"path":"d","offset":3}`: "d/: entries 3-3 of 3\nc\n" +
			`[1 ignored; list_dir path="d" ignored=true includes them]`,
		`{"path":["e","e"]}`: "e/: 0 entries\n" + `[1 ignored; list_dir path="e" ignored=true includes them]` +
			"\n\ne/: 0 entries\n" + `[1 ignored; list_dir path="e" ignored=true includes them]`,
		`{"path":"."}`: filepath.ToSlash(root) + "/ (the root): 3 entries\n.gitignore\nd/\ne/",
	} {
		if got := output(read, args, -1); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	want := "d/: 4 entries\na\nb\nc\nx.log"
	if got := output(list, `{"path":"d","ignored":true}`, -1); got != want {
		t.Errorf("the call that the marker names: %q, want %q", got, want)
	}
	want = "d/: 3 entries\na\nb\nc\n[1 ignored; include them with ignored=true]"
	if got := output(list, `{"path":"d"}`, -1); got != want {
		t.Errorf("list_dir: %q, want %q", got, want)
	}
}

// TestPathList checks that the elements of a list are paths as they are, while a text has one path
// per line.
func TestPathList(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no name has a line feed")
	}
	root := fixture.Make(t, "a", "b", "c", "a\nb", " c ", "a b")
	list := toolOf(t, DefaultSettings(), "list_dir", root)
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
		for _, section := range strings.Split(output(list, args, -1), "\n\n") {
			path, _, _ := strings.Cut(section, ": ")
			got = append(got, path)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	for _, args := range []string{`{"path":[""]}`, `{"path":[]}`, `{"path":""}`} {
		if got := output(list, args, -1); !strings.Contains(got, "(the root): 6 entries") {
			t.Errorf("%s: %s", args, got)
		}
	}
	for _, args := range []string{`{"path":"\n"}`, `{"path":" \n \n"}`} {
		if got := output(list, args, -1); !strings.HasPrefix(got, `not_found: there is no `) {
			t.Errorf("%s: %s", args, got)
		}
	}
	many := `{"path":["a"` + strings.Repeat(`,"a"`, 50) + `]}`
	if got := output(list, many, -1); got != "bad_arguments: path must have at most 50 lines" {
		t.Errorf("51 paths: %s", got)
	}
}
