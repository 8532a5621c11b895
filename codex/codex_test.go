package codex

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/internal/testkit/unprivileged"
	"gander/internal/toolset"
	"gander/tool"
)

// open opens a workspace with one root until the test ends.
func open(t testing.TB, root string) *workspace.Workspace {
	t.Helper()
	return tooltest.Workspace(t, nil, root)
}

// newList returns list_dir with the published defaults and verbatim names.
func newList(w *workspace.Workspace) *listDir {
	return newListDir(w, Options{VerbatimNames: true}.withDefaults())
}

// newRead returns read_file with the published defaults.
func newRead(w *workspace.Workspace) *readFile {
	return newReadFile(w, Options{}.withDefaults())
}

// output returns the text for the model: the content or the message of the error. Without a
// registry, thousands of calls are faster.
func output(t testing.TB, called tool.Tool, args string) string {
	t.Helper()
	result, err := called.Call(t.Context(), tool.Call{Args: json.RawMessage(args)})
	if err != nil {
		return "error: " + err.Error()
	}
	return result.Text()
}

// outputOf is output for arguments with only a path.
func outputOf(t testing.TB, called tool.Tool, key, path string) string {
	t.Helper()
	args, err := json.Marshal(map[string]string{key: path})
	fixture.Must(t, err)
	return output(t, called, string(args))
}

// first500 cuts s to 500 bytes at a character boundary.
func first500(s string) string {
	end := 0
	for i, r := range s {
		if i+utf8.RuneLen(r) > 500 {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	return s[:end]
}

// callByName calls the tool whose name precedes the arguments, and returns its error.
func callByName(t *testing.T, w *workspace.Workspace, o Options, call string) *tool.Error {
	name, args, _ := strings.Cut(call, " ")
	o = o.withDefaults()
	tools := map[string]tool.Tool{"list_dir": newListDir(w, o), "read_file": newReadFile(w, o)}
	_, err := tools[name].Call(t.Context(), tool.Call{Args: json.RawMessage(args)})
	failure, _ := errors.AsType[*tool.Error](err)
	return failure
}

// TestInvalidArguments checks the published order and messages. The workspace is closed, so that
// any file access fails differently, which is the only error of valid arguments.
func TestInvalidArguments(t *testing.T) {
	w, root := tooltest.ClosedWorkspace(t)
	o := Options{
		ListDir: ListDirOptions{MaxLimit: 100, MaxDepth: 9}, ReadFile: ReadFileOptions{MaxLimit: 5000},
	}
	tooltest.CheckErrors(t, "arguments.txt", root, func(call string) *tool.Error {
		return callByName(t, w, o, call)
	})
}

func TestListDirEveryLimit(t *testing.T) {
	var many []string
	for i := range 30 {
		many = append(many, fmt.Sprintf("d/%s%d", strings.Repeat("é", i), i))
	}
	for _, entries := range [][]string{many, {"a"}, {"empty/"}, {}, {"\xff\xff", "b/\u202e"}} {
		root := fixture.Make(t, entries...)
		list := newListDir(open(t, root), Options{}.withDefaults())
		c := tooltest.NewCaller(t, list, toolset.Options{})
		for _, more := range []string{"", `,"limit":1000`} {
			args := fmt.Sprintf(`{"dir_path":%q%s}`, root, more)
			c.CheckLimits(args, 1, func(shown int) string {
				return fmt.Sprintf("continue with offset=%d", shown+1)
			})
		}
	}
}

func TestReadFileEveryLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	c := tooltest.NewCaller(t, newRead(open(t, filepath.Dir(path))), toolset.Options{})
	for _, text := range []string{
		strings.Repeat("    x\n  漢\r\n\t\xff\n\n", 6), strings.Repeat("y", 600), "\n\n",
		"  a\n    b\n    b\n  a\n",
	} {
		fixture.Must(t, os.WriteFile(path, []byte(text), 0o644))
		for more, hint := range map[string]string{"": "", `,"mode":"indentation"`: " in slice mode"} {
			args := fmt.Sprintf(`{"file_path":%q%s}`, path, more)
			c.CheckLimits(args, 0, func(shown int) string {
				return fmt.Sprintf("continue with offset=%d%s", shown+1, hint)
			})
		}
	}
}

// TestReadFileOptions checks that a configured default applies only to absent arguments.
func TestReadFileOptions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	text := "# h\na\n    b\n    c\n    # d\n    e\n        f\n    g\n"
	fixture.Must(t, os.WriteFile(path, []byte(text), 0o644))
	w := open(t, filepath.Dir(path))
	one := ReadFileOptions{MaxLevels: new(1)}
	header, siblings := one, one
	header.IncludeHeader, siblings.IncludeSiblings = true, true
	for _, tt := range []struct {
		options ReadFileOptions
		args    string
		want    string // line numbers
	}{
		{ReadFileOptions{}, ``, "2 3 4 5 6 7 8"},
		{ReadFileOptions{Limit: 3}, ``, "6 7 8"},
		{ReadFileOptions{Limit: 3}, `,"limit":2`, "6 7"},
		{header, ``, "5 6 7 8"},
		{siblings, ``, "3 4 5 6 7 8"},
		{siblings, `,"indentation":{"include_siblings":false}`, "6 7 8"},
		{one, `,"indentation":{"max_levels":0}`, "2 3 4 5 6 7 8"},
	} {
		args := fmt.Sprintf(`{"file_path":%q,"mode":"indentation","offset":7%s}`, path, tt.args)
		var numbers []string
		read := newReadFile(w, Options{ReadFile: tt.options}.withDefaults())
		for line := range strings.SplitSeq(output(t, read, args), "\n") {
			number, _, _ := strings.Cut(strings.TrimPrefix(line, "L"), ":")
			numbers = append(numbers, number)
		}
		if got := strings.Join(numbers, " "); got != tt.want {
			t.Errorf("%+v, %s: got %s, want %s", tt.options, tt.args, got, tt.want)
		}
	}
}

// TestNames checks that an entry takes one line unless names are verbatim.
func TestNames(t *testing.T) {
	root := fixture.Make(t, "a\nb/", "a\nb/c\r", "d\te", "f\u202eg", "k\"\\漢\u00a0", "l\u0085")
	w := open(t, root)
	escaped := newListDir(w, Options{}.withDefaults())
	for want, list := range map[string]*listDir{
		`a\nb/|  c\r|d\te|f\u202eg|k"\漢` + "\u00a0" + `|l\u0085`: escaped,
		"a\nb/|  c\r|d\te|f\u202eg|k\"\\漢\u00a0|l\u0085":         newList(w),
	} {
		want = "Absolute path: " + root + "\n" + strings.ReplaceAll(want, "|", "\n")
		if got := outputOf(t, list, "dir_path", root); got != want {
			t.Errorf("got\n%q\nwant\n%q", got, want)
		}
	}
	got := outputOf(t, escaped, "dir_path", root+"//./a\nb/")
	if want := "Absolute path: " + root + `//./a\nb/` + "\n" + `c\r`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPathErrors checks that errors do not reveal whether a path outside the workspace exists.
func TestPathErrors(t *testing.T) {
	entries := []string{
		"file", "pipe|", "secret/x", "loop => loop", "out => /etc", "gone => /no/such/place",
		"up => ../..", "deny => secret", "d/file", "s=", "key.pem", "key => key.pem",
	}
	deny := []string{"**/secret", "**/*.pem"}
	tooltest.CheckPaths(t, entries, deny, func(w *workspace.Workspace, call string) *tool.Error {
		return callByName(t, w, Options{VerbatimNames: true}, call)
	})
}

// TestUnreadable checks that a page has a line for each unreadable directory whose entries would
// begin on it. In the expected lines, which | separates, !a/ is the one about a.
func TestUnreadable(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		root := fixture.Make(t,
			"a/x", "a/ 0000", "b\n/c/", "b\n/c/ 0000", "b\n/d/ 0000", "e/f", "e/ 0444")
		list := newListDir(open(t, root), Options{ListDir: ListDirOptions{Depth: 3}}.withDefaults())
		const more = "|More than 2 entries found"
		for args, want := range map[string]string{
			`"depth":1`: "a/|b\\n/|e/",
			`"depth":2`: "a/|b\\n/|  c/|  d/|e/|  f|!a/",
			`"depth":3`: "a/|b\\n/|  c/|  d/|e/|  f|!a/|!b\\n/c/|!b\\n/d/",
			`"limit":1`: "a/|More than 1 entries found",
			`"limit":2`: "a/|b\\n/|!a/" + more,

			`"limit":2,"offset":2`: "b\\n/|  c/|!a/" + more,
			`"limit":2,"offset":3`: "  c/|  d/|!b\\n/c/" + more,
		} {
			isPartial := strings.Contains(want, "!")
			for _, dir := range []string{"a/", "b\\n/c/", "b\\n/d/"} {
				line := "|Could not read " + dir + ": permission denied"
				want = strings.ReplaceAll(want, "|!"+dir, line)
			}
			want = strings.ReplaceAll("Absolute path: "+root+"|"+want, "|", "\n")
			args = fmt.Sprintf(`{"dir_path":%q,%s}`, root, args)
			result, err := list.Call(t.Context(), tool.Call{Args: json.RawMessage(args)})
			if got := result.Text(); err != nil || got != want || result.Unreadable != isPartial {
				t.Errorf("%s, unreadable %t, %v\ngot\n%s\nwant\n%s", args, result.Unreadable, err, got, want)
			}
		}
		args := fmt.Sprintf(`{"dir_path":%q,"offset":7}`, root)
		if got := output(t, list, args); got != "error: offset exceeds directory entry count" {
			t.Error(got)
		}
		for _, path := range []string{"/a", "/a/x", "/e/f"} {
			got := outputOf(t, list, "dir_path", root+path)
			if got != "error: failed to read directory: permission denied" {
				t.Errorf("%s: %s", path, got)
			}
			got = outputOf(t, newRead(open(t, root)), "file_path", root+path+"/x")
			if got != "error: failed to read file: permission denied" {
				t.Errorf("%s/x: %s", path, got)
			}
		}
	})
}

// TestManyUnreadable checks that lines that do not fit are not stored.
func TestManyUnreadable(t *testing.T) {
	const limit = 1000
	p := entryPage{tool: new(listDir), request: listDirRequest{limit: 1}, left: limit}
	e := walk.Entry{Name: []byte("d"), Dir: new(walk.Directory)}
	err := p.read(func(yield func(walk.Entry, error) bool) {
		for range 10_000 {
			yield(e, fs.ErrPermission)
		}
	})
	size := len(strings.Join(p.unreadable, ""))
	if err != nil || size <= limit || size > 2*limit {
		t.Errorf("%d bytes of lines, %v", size, err)
	}
}
