package native

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gander/internal/registry"
	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// toolOf returns a caller of the tool with this name over roots.
func toolOf(t *testing.T, s Settings, name string, deny []string, roots ...string) tooltest.Caller {
	t.Helper()
	tools := New(tooltest.Workspace(t, deny, roots...), s)
	i := slices.IndexFunc(tools, func(each tool.Tool) bool { return each.Spec().Name == name })
	return tooltest.NewCaller(t, tools[i], registry.Options{MaxDataBytes: 100})
}

// asked returns the text of an answer or of an error.
func asked(c tooltest.Caller, args string, limit int) string {
	c.T.Helper()
	result, failure := c.Call(args, limit)
	if failure != nil {
		return fmt.Sprintf("%s: %s", failure.Kind, failure.Message)
	}
	return result.Text()
}

func TestListDir(t *testing.T) {
	base := t.TempDir()
	root, other := filepath.Join(base, "repo"), filepath.Join(base, "other")
	write(t, root, ".git/config", ".gitignore", "src/main.go", "src/a.log",
		"src/sub/x/deep.go", "src/sub/y.go", "empty/", "logs/1.log", "a b ", "secret/x", "z.txt")
	write(t, other, "one", "bare/.git/x")
	if err := os.WriteFile(filepath.Join(root, ".gitignore"), []byte("*.log\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"dir": "src/sub", "file": "src/main.go",
		"out": "../outside", "gone": "nowhere",
	} {
		err := os.Symlink(to, filepath.Join(root, link))
		if _, missing := os.Readlink(filepath.Join(root, link)); missing != nil {
			t.Skip("no symlinks: ", err)
		}
	}
	changed := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for _, p := range []string{"src/main.go", "src/sub", "z.txt"} {
		if err := os.Chtimes(filepath.Join(root, p), changed, changed); err != nil {
			t.Fatal(err)
		}
	}
	c := toolOf(t, DefaultSettings(), "list_dir", []string{"secret/**"}, root, other)
	other = filepath.ToSlash(other)
	head := ". is " + filepath.ToSlash(root) + ", other roots are " + other + ": "
	space := `\x20` // Windows drops a space at the end of a name.
	if runtime.GOOS == "windows" {
		space = ""
	}
	for args, want := range map[string]string{
		`{}`: head + "11 entries\n.gitignore\n" +
			"a b" + space + "\ndir@\t-> src/sub/\nempty/\nfile@\t-> src/main.go\ngone@\nlogs/\n" +
			"out@\nsecret/\nsrc/\nz.txt",
		`{"offset":"3","limit":2}`: head + "entries 3-4 of 11; continue with offset=5\n" +
			"dir@\t-> src/sub/\nempty/\n[7 more; continue with offset=5]",
		`{"offset":11,"limit":null}`:    head + "entries 11-11 of 11\nz.txt",
		`{"path":"` + other + `/bare"}`: other + "/bare/: empty but for .git",
		`{"path":"empty\nsrc\nnone"}`: "empty/: empty\n\nsrc/: 2 entries\n" +
			"main.go\nsub/\n[1 ignored; include them with ignored=true]\n\n" +
			"error: there is no none; did you mean gone?",
		`{"path":"logs"}`: "logs/: 0 entries\n" +
			"[1 ignored; include them with ignored=true]",
		`{"path":"` + other + `"}`: other + "/: 2 entries\nbare/\none",
		`{"path":"src","depth":9}`: "src/: 2 entries and 3 below\nmain.go\n" +
			"sub/\n  x/\n    deep.go\n  y.go\n[1 ignored; include them with ignored=true]",
		`{"path":"src","depth":2}`: "src/: 2 entries and 2 below\nmain.go\n" +
			"sub/\n  x/\t...\n  y.go\n" +
			"[... = not listed here; list_dir path=\"src/sub/x\" lists it]\n" +
			"[1 ignored; include them with ignored=true]",
		`{"path":"src","recursive":true,"limit":3}`: "src/: 2 entries and 1 below; what is left " +
			"out is marked\nmain.go\nsub/\n  x/\t...\n" +
			"  [1 more; list_dir path=\"src/sub\" offset=2]\n" +
			"[... = not listed here; list_dir path=\"src/sub/x\" lists it]\n" +
			"[1 ignored; include them with ignored=true]",
		`{"path":"src","depth":2,"limit":2}`: "src/: 2 entries; what is left out is " +
			"marked\nmain.go\nsub/\t...\n" +
			"[... = not listed here; list_dir path=\"src/sub\" lists it]\n" +
			"[1 ignored; include them with ignored=true]",
		`{"depth":2,"limit":11,"offset":4}`: head + "entries 4-11 of 11 and 2 below\n" +
			"empty/\tempty\nfile@\t-> src/main.go\ngone@\nlogs/\t1 ignored\nout@\n" +
			"secret/\tdenied by pattern secret/**\nsrc/\n  main.go\n  sub/\t...\nz.txt\n" +
			"[... = not listed here; list_dir path=\"src/sub\" lists it]\n" +
			"[2 ignored; include them with ignored=true]",

		`{"path":"out@"}`: "out@: a link that cannot be followed: path is outside the " +
			"workspace",
		`{"path":"secret"}`:   "denied: secret: denied by pattern secret/**",
		`{"path":"secret/x"}`: "denied: secret/x: denied by pattern secret/**",

		`{"limit":-1}`:              "bad_arguments: limit must be at least 1, not -1",
		`{"offset":1.5}`:            "bad_arguments: offset must be an integer, not 1.5",
		`{"details":"maybe"}`:       `bad_arguments: details must be true or false, not "maybe"`,
		`{"path":["a"]}`:            `bad_arguments: path must be a string, not ["a"]`,
		`{"zzz":"a"}`:               `bad_arguments: there is no argument "zzz"; the arguments are path, depth, details, ignored, offset, limit`,
		`{"path":"a","dir_path":1}`: `bad_arguments: path and dir_path are the same argument with different values; give one`,
	} {
		if got := asked(c, args, -1); got != want {
			t.Errorf("%s\n got %q\nwant %q", args, got, want)
		}
	}
}

// TestListDirPages follows the pages of a directory of more names than one pass keeps.
func TestListDirPages(t *testing.T) {
	root := t.TempDir()
	var want []string
	for i := range 1200 {
		name := fmt.Sprintf("file-%05d", i)
		want = append(want, name)
		if err := os.WriteFile(filepath.Join(root, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, chars := range []int{0, 200, 1000, 40000} {
		c := toolOf(t, Settings{MaxChars: chars}, "list_dir", nil, root)
		var got []string
		for offset := 1; ; {
			args, _ := json.Marshal(map[string]int{"offset": offset})
			text := asked(c, string(args), -1)
			if chars > 0 && sizeOf(text).chars > chars {
				t.Fatalf("%d characters: an answer of %d", chars, len(text))
			}
			lines := strings.Split(text, "\n")
			for _, line := range lines[1:] {
				if line[0] != '[' {
					got = append(got, line)
				}
			}
			next := 0
			if _, err := fmt.Sscanf(lines[0][strings.LastIndex(lines[0], "offset=")+1:],
				"ffset=%d", &next); err != nil {
				break
			}
			offset = next
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d characters: got %d entries", chars, len(got))
		}
	}
}
