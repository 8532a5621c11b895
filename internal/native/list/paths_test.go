package list

import (
	"fmt"
	"os"
	"path/filepath"
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

// TestAlike checks that the heading about a directory or a file of another name than the path given
// says that it is the only one alike.
func TestAlike(t *testing.T) {
	root := fixture.Make(t, "l’été/file.txt")
	list := nativetest.Over(t, Tool, call.DefaultSettings(), root)
	for path, want := range map[string]string{
		"l'été":          "l’été/ (the only name like l'été): 1 entry",
		"l'été/file.txt": "l’été/file.txt (the only name like l'été/file.txt): text",
		"l’été":          "l’été/: 1 entry",
	} {
		got := tooltest.Output(list, `{"path":"`+path+`"}`, -1)
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %.200s, want %s", path, got, want)
		}
	}
}

// TestLinkTargets checks where links lead, or that this is not known.
func TestLinkTargets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links below a root are not named under Wine")
	}
	root := filepath.Join(t.TempDir(), "repo")
	tooltest.Write(t, root, "src/main.go", "../outside.txt")
	for link, to := range map[string]string{
		"link": "src/main.go", "dir": "src",
		"out": "../outside.txt", "gone": "nowhere", "loop": "loop", "again": "link",
	} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Skip("no symlinks: ", err)
		}
	}
	p := nativetest.Environment(tooltest.Workspace(t, nil, root)).NewCall("").Paths
	for link, want := range map[string]string{
		"link": "src/main.go", "again": "src/main.go", "dir": "src/", "out": "", "gone": "", "loop": "",
	} {
		at, err := p.Locate(t.Context(), link)
		if got := linkTarget(p, at); err != nil || got != want {
			t.Errorf("%s leads to %q, %v, want %q", link, got, err, want)
		}
	}
}

// TestManyRules lists a tree of packages whose ignore files together are larger than those of one
// directory may be. The rules of all apply, and a file of rules that is too long is named.
func TestManyRules(t *testing.T) {
	root := fixture.Make(t, ".git/")
	rules := "node_modules\n" + strings.Repeat("# a comment that explains the rules\n", 130)
	files := map[string]string{"long/.gitignore": "x\n" + strings.Repeat("#", 512<<10), "long/x": ""}
	for i := range 120 {
		dir := fmt.Sprintf("p/%03d/", i)
		files[dir+".gitignore"] = rules
		files[dir+"sub/node_modules/f"] = ""
		files[dir+"node_modules/f"] = ""
	}
	fixture.Write(t, root, files)
	list := nativetest.Over(t, Tool, call.DefaultSettings(), root)
	got := tooltest.Output(list, `{"depth":5}`, -1)
	if strings.Contains(got, "node_modules") {
		t.Errorf("an ignored directory is shown: %.3000s", got)
	}
	for _, want := range []string{
		"\n  x\n", "\n[too long for ignore rules, so not applied: long/.gitignore]\n", "\n[240 ignored; ",
	} {
		if !strings.Contains(got+"\n", want) {
			t.Errorf("no %q in %.200s...%s", want, got, got[max(0, len(got)-300):])
		}
	}
}
