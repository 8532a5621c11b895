package filesystem

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gander/internal/files/text"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/internal/testkit/unprivileged"
	"gander/internal/toolset"
	"gander/tool"
)

// open returns the tools by name, over a workspace with one root.
func open(t testing.TB, root string, deny ...string) map[string]tool.Tool {
	t.Helper()
	tools := map[string]tool.Tool{}
	for _, one := range newTools(tooltest.Workspace(t, deny, root), Options{}) {
		tools[one.Spec().Name] = one
	}
	return tools
}

func call(
	t testing.TB, called tool.Tool, args map[string]any, limit int,
) (tool.Result, *tool.Error) {
	t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	return tooltest.NewCaller(t, called, toolset.Options{}).Call(string(raw), limit)
}

// write writes files below a new directory, whose path is free of symlinks.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	fixture.Write(t, root, files)
	return root
}

// TestEveryLimit checks that a result is complete, or fits the limit and reports that it is cut.
func TestEveryLimit(t *testing.T) {
	files := map[string]string{
		"lines": strings.Repeat("a líne\r\n", 60), "line": strings.Repeat("é", 300), "empty": "",
	}
	for i := range 12 {
		files[fmt.Sprintf("d/e%d/file%02d", i/3, i)] = strings.Repeat("x", 100*i)
	}
	tools := open(t, write(t, files))
	for _, tt := range []struct{ tool, args string }{
		{"read_text_file", `{"path":"lines"}`},
		{"read_text_file", `{"path":"line"}`},
		{"read_text_file", `{"path":"lines","head":50}`},
		{"read_text_file", `{"path":"lines","tail":50}`},
		{"read_multiple_files", `{"paths":["lines","none","line","empty","lines"]}`},
		{"list_directory", `{"path":"d"}`},
		{"list_directory_with_sizes", `{"path":"d/e3"}`},
		{"list_directory_with_sizes", `{"path":"d/e3","sortBy":"size"}`},
		{"directory_tree", `{"path":"."}`},
		{"search_files", `{"path":".","pattern":"**"}`},
		{"get_file_info", `{"path":"lines"}`},
		{"list_allowed_directories", `{}`},
	} {
		c := tooltest.NewCaller(t, tools[tt.tool], toolset.Options{})
		whole, failure := c.Call(tt.args, -1)
		if failure != nil {
			t.Fatal(tt.tool, failure)
		}
		size := 0
		for _, p := range whole.Parts {
			size += len(p.Text)
		}
		least := 0 // limit with a result
		step := 1
		if testing.Short() {
			step = 13
		}
		for limit := 0; limit < size+2; limit += step {
			got, failure := c.Call(tt.args, limit)
			if failure != nil {
				tooSmall := strings.Contains(failure.Message, "too small for any answer")
				if !tooSmall || least > 0 || limit >= size {
					t.Errorf("%s of %s with %d bytes: %v", tt.tool, tt.args, limit, failure)
				}
				continue
			}
			least = cmp.Or(least, limit)
			if problem := limitProblem(tt.tool, got, whole, limit, size); problem != "" {
				t.Errorf("%s of %s with %d of %d bytes: %s: %q",
					tt.tool, tt.args, limit, size, problem, got.Text())
			}
		}
	}
}

// limitProblem describes the problem of a result under a limit, if any.
func limitProblem(name string, got, whole tool.Result, limit, size int) string {
	text := got.Text()
	const totals = "\nTotal: 3 files, 0 directories\nCombined size: 2.93 KB"
	reached := fmt.Sprintf("output limit of %d bytes reached", limit)
	switch {
	case got.Truncated != (limit < size):
		return "wrong truncated"
	case len(text) > limit:
		return "too long"
	case !got.Truncated && text != whole.Text():
		return "incomplete"
	case got.Truncated && !strings.Contains(text, reached):
		return "no notice"
	case name == "directory_tree" && !json.Valid([]byte(got.Parts[0].Text)):
		return "no JSON"
	case name == "list_directory_with_sizes" && !strings.Contains(text, totals):
		return "no totals"
	default:
		return ""
	}
}

// TestTailStart compares tails of a file of several blocks with its lines.
func TestTailStart(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for b.Len() < 300_000 {
		b.WriteString(strings.Repeat("z", r.IntN(3)*r.IntN(2000)) + "\n")
	}
	text := b.String() + "end"
	root := write(t, map[string]string{"f": text})
	called := open(t, root)["read_text_file"]
	lines := strings.Split(text, "\n")
	for _, n := range []int{1, 2, 60, len(lines) - 1, len(lines), len(lines) + 1} {
		got, failure := call(t, called, map[string]any{"path": "f", "tail": n}, -1)
		want := strings.Join(lines[max(len(lines)-n, 0):], "\n")
		if failure != nil || got.Text() != want {
			t.Errorf("the last %d lines have %d bytes, want %d: %v", n, len(got.Text()), len(want), failure)
		}
	}
}

func TestDenied(t *testing.T) {
	root := write(t, map[string]string{"open/f": "text", "secret/f": "hidden", "none": ""})
	tools := open(t, root, "secret", "none")
	_, failure := call(t, tools["read_text_file"], map[string]any{"path": "none", "tail": 1}, -1)
	if got := tooltest.Describe(failure); !strings.HasPrefix(got, "denied: EACCES") {
		t.Errorf("the tail of an empty file: %s", got)
	}
	for name, called := range map[string]string{
		"read_text_file": "open", "read_media_file": "open", "list_directory": "scandir",
		"directory_tree": "scandir", "get_file_info": "stat",
	} {
		_, failure := call(t, tools[name], map[string]any{"path": "secret"}, -1)
		want := fmt.Sprintf("denied: EACCES: permission denied, %s '%s'", called, root+"/secret")
		if got := tooltest.Describe(failure); filepath.ToSlash(got) != filepath.ToSlash(want) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	got, failure := call(t, tools["directory_tree"], map[string]any{"path": "."}, -1)
	tree := got.Text()
	if failure != nil || !strings.Contains(tree, `"error": `) || strings.Count(tree, `"name"`) != 4 {
		t.Errorf("the tree is %s, %v", tree, failure)
	}
}

func TestInvalidArguments(t *testing.T) {
	root := write(t, nil)
	tools := open(t, root)
	tooltest.CheckErrors(t, "arguments.txt", root, func(args string) *tool.Error {
		name, args, _ := strings.Cut(args, " ")
		_, err := tooltest.NewCaller(t, tools[name], toolset.Options{}).Call(args, -1)
		if err != nil {
			err.Message = strings.Replace(err.Message, " "+name+":", " TOOL:", 1)
		}
		return err
	})
}

// TestManyWrongArguments checks that the number of problems in an error is bounded.
func TestManyWrongArguments(t *testing.T) {
	args := `{"paths":[` + strings.Repeat("1,", 8_999) + `1]}`
	called := open(t, write(t, nil))["read_multiple_files"]
	_, err := called.Call(t.Context(), tool.Call{Args: json.RawMessage(args)})
	const end = "\n... and 8980 more"
	if err == nil || len(err.Error()) > 4096 || !strings.HasSuffix(err.Error(), end) {
		t.Errorf("got %v", err)
	}
}

// TestLargeFile checks that a sparse file of 1 TB is rejected or cut without a limit of the caller.
func TestLargeFile(t *testing.T) {
	root := write(t, map[string]string{"x.png": "\x89PNG\r\n\x1a\n"})
	if err := os.Truncate(filepath.Join(root, "x.png"), 1<<40); err != nil {
		t.Skip("the file system has no sparse files: ", err)
	}
	tools := open(t, root)
	_, failure := call(t, tools["read_media_file"], map[string]any{"path": "x.png"}, -1)
	if failure == nil || !strings.Contains(failure.Message, "does not fit the limit") {
		t.Errorf("got %v", failure)
	}
	for name, args := range map[string]map[string]any{
		"read_text_file":      {"path": "x.png"},
		"read_multiple_files": {"paths": []string{"x.png"}},
	} {
		result, failure := call(t, tools[name], args, -1)
		size := len(result.Text())
		if failure != nil || !result.Truncated || size > maxTextBytes {
			t.Errorf("%s: %d bytes, %v", name, size, failure)
		}
	}
}

func TestMediaType(t *testing.T) {
	tools := open(t, write(t, map[string]string{"a.GiF": "", "a.G\u0130F": ""}))
	for name, want := range map[string]string{
		"a.GiF": "image/gif", "a.G\u0130F": "application/octet-stream",
	} {
		got, failure := call(t, tools["read_media_file"], map[string]any{"path": name}, -1)
		if failure != nil || got.Parts[0].MIMEType != want {
			t.Errorf("%s: %v %v, want %s", name, got.Parts, failure, want)
		}
	}
}

func TestDate(t *testing.T) {
	for _, tt := range []struct {
		nanoseconds int64
		want        string
	}{
		{20_999_600_000, "Thu Jan 01 1970 00:00:21"},
		{20_999_400_000, "Thu Jan 01 1970 00:00:20"},
		{-1, "Thu Jan 01 1970 00:00:00"},
		{-600_000, "Wed Dec 31 1969 23:59:59"},
	} {
		want := tt.want + " GMT+0000 (Coordinated Universal Time)"
		if got := date(time.Unix(0, tt.nanoseconds)); got != want {
			t.Errorf("%d ns is %s, want %s", tt.nanoseconds, got, tt.want)
		}
	}
}

func TestWindowsPath(t *testing.T) {
	for path, want := range map[string]string{
		`c:\x`: `C:\x`, "C:/x": "C:/x", "/c/x": "C:/x", "/c": "/c", "/mnt/c/x": "/mnt/c/x",
		`\\server\share`: `\\server\share`, "x": "x", "": "", "é:": "é:", "c:": "C:",
	} {
		if got := windowsPath(path); got != want {
			t.Errorf("%q is %q, want %q", path, got, want)
		}
	}
}

func TestFileURI(t *testing.T) {
	for path, want := range map[string]string{
		"/a b/é%.x":                "file:///a%20b/%C3%A9%25.x",
		"/!$&'()*+,-.:;=@_~\"#?[]": "file:///!$&'()*+,-.:;=@_%7E%22%23%3F%5B%5D",
	} {
		if got := fileURI(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}

// TestManySizes compares complete and cut results with the documented order, lines and totals.
func TestManySizes(t *testing.T) {
	root := write(t, map[string]string{"d/seventeen": "seventeen letters"})
	r := rand.New(rand.NewPCG(5, 6))
	dir := filepath.Join(root, "d")
	type entry struct {
		name string
		size int64
		line string
	}
	want := []entry{{"seventeen", 17, fmt.Sprintf("[FILE] %-30s %10s", "seventeen", "17 B")}}
	var total int64 = 17
	for i := range 1300 {
		e := entry{size: r.Int64N(3000)}
		e.name = fmt.Sprintf("%c%d", []rune("aBc-é京")[r.IntN(6)], r.Int64())
		path := filepath.Join(dir, e.name)
		var err error
		switch i % 600 {
		case 17:
			err = os.Mkdir(path, 0o700)
			e.line = fmt.Sprintf("[DIR] %-30s ", e.name)
		case 18:
			err = os.Symlink("seventeen", path)
		default:
			err = os.WriteFile(path, make([]byte, e.size), 0o600)
		}
		info, statErr := os.Stat(path)
		if err = cmp.Or(err, statErr); err != nil {
			t.Skip("this file system has no such entries: ", err)
		}
		e.size = info.Size() // of a directory, it differs between file systems
		if e.line == "" {
			total += e.size
			e.line = fmt.Sprintf("[FILE] %-30s %10s", e.name, formatSize(e.size))
		}
		want = append(want, e)
	}
	totals := fmt.Sprintf("\n\nTotal: %d files, 3 directories\nCombined size: %s",
		len(want)-3, formatSize(total))
	collator := text.NewCollator()
	key := func(e entry) []byte { return collator.AppendKey(nil, []byte(e.name)) }
	called := open(t, root)["list_directory_with_sizes"]
	for sortBy, compare := range map[string]func(a, b entry) int{
		"name": func(a, b entry) int { return bytes.Compare(key(a), key(b)) },
		"size": func(a, b entry) int { return cmp.Compare(b.size, a.size) },
	} {
		slices.SortFunc(want, func(a, b entry) int {
			return cmp.Or(compare(a, b), strings.Compare(a.name, b.name))
		})
		var lines []string
		for _, e := range want {
			lines = append(lines, e.line)
		}
		entries := strings.Join(lines, "\n")
		for _, limit := range []int{-1, 1500, 20_000} {
			got, failure := call(t, called, map[string]any{"path": dir, "sortBy": sortBy}, limit)
			begin, end, _ := strings.Cut(got.Text(), "\n\nTotal: ")
			complete := limit < 0 && begin == entries
			cut := len(begin) > limit-300 && strings.HasPrefix(entries, begin+"\n") && limit > 0
			if failure != nil || !complete && !cut || !strings.HasPrefix("\n\nTotal: "+end, totals) {
				t.Errorf("by %s within %d: %v\n%s", sortBy, limit, failure, got.Text())
			}
		}
	}
}

func TestFormatSize(t *testing.T) {
	for size, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.00 KB", 1152: "1.13 KB", 1<<20 - 1: "1024.00 KB",
		1 << 20: "1.00 MB", 5<<30 + 1: "5.00 GB", 1 << 40: "1.00 TB", 1 << 60: "1048576.00 TB", -1: "0 B",
	} {
		if got := formatSize(size); got != want {
			t.Errorf("%d is %s, want %s", size, got, want)
		}
	}
}

// TestUnreadableDirectory checks that reading an unreadable directory is denied.
func TestUnreadableDirectory(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		root := fixture.Make(t, "shut/", "shut/ 0300")
		tools := open(t, root)
		want := "denied: EACCES: permission denied, open '" + root + "/shut'"
		for _, args := range []string{
			"read_text_file {}", `read_text_file {"head":1}`, `read_text_file {"head":-1}`,
			`read_text_file {"tail":1}`, `read_text_file {"tail":-1}`, "read_media_file {}",
		} {
			name, args, _ := strings.Cut(args, " ")
			all := map[string]any{"path": "shut"}
			if err := json.Unmarshal([]byte(args), &all); err != nil {
				t.Fatal(err)
			}
			_, failure := call(t, tools[name], all, -1)
			if got := tooltest.Describe(failure); got != want {
				t.Errorf("%s %s: %s, want %s", name, args, got, want)
			}
		}
	})
}
