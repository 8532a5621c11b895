package native

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"gander/internal/native/call"
	"gander/internal/native/read"
	"gander/internal/native/section"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
	"gander/internal/toolset"
	"gander/tool"
)

// bounded calls a tool and checks that the call allocates at most limit MiB, and that it ends
// within a minute: on a slow machine, calls that end within their timeout of 10 s elsewhere take
// longer.
func bounded(
	t *testing.T, e *call.Environment, name, label string, args any, limit uint64,
) (tool.Result, error) {
	t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	result, err := toolIn(e, name).Call(t.Context(), tool.Call{Args: raw})
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	allocated := (after.TotalAlloc - before.TotalAlloc) >> 20
	if took > time.Minute || allocated > limit {
		t.Errorf("%s: %d MiB allocated in %v", label, allocated, took)
	}
	return result, err
}

// TestHostilePatterns checks that no pattern takes much memory or time to parse and compile, and
// that the text of an error is short.
func TestHostilePatterns(t *testing.T) {
	root := t.TempDir()
	tooltest.Write(t, root, "a.txt")
	e := nativetest.Environment(tooltest.Workspace(t, nil, root))
	for _, pattern := range []string{
		"[" + strings.Repeat(`\w`, 500_000) + "]", strings.Repeat(`\w`, 60_000),
		"[" + strings.Repeat(`\w`, 4000) + "]", strings.Repeat(`[\w]`, 2000),
		"(?i)" + strings.Repeat(`\pL`, 2700), "(?i)[" + strings.Repeat(`\pL&&`, 1600) + "a]",
		strings.Repeat("a", 900_000) + "(", strings.Repeat("a|", 4000),
		strings.Repeat(".{1000}", 1000), strings.Repeat(`\w{300}`, 1000),
		strings.Repeat("(a?", 250) + strings.Repeat("){9}", 250),
	} {
		args := map[string]any{"pattern": pattern}
		label := fmt.Sprintf("%.20s (%d bytes)", pattern, len(pattern))
		_, err := bounded(t, e, "search_text", label, args, 256)
		if err != nil && len(err.Error()) > 2000 {
			t.Errorf("%s: an error of %d bytes", label, len(err.Error()))
		}
	}
}

// TestHostileRequests checks that calls with huge arguments use bounded time and memory.
func TestHostileRequests(t *testing.T) {
	if testing.Short() {
		t.Skip("its requests take long")
	}
	root := t.TempDir()
	tooltest.Write(t, root, "d/")
	tooltest.Put(t, root, "d/b.go", strings.Repeat("line\n", 30))
	tooltest.Put(t, root, "d/long", strings.Repeat("abc ", 1<<20))
	numbers := tooltest.Many(500_000, func(i int) string { return fmt.Sprint(i) })
	tooltest.Put(t, root, "d/lines", strings.Repeat("line\n", 500_000))
	tooltest.Put(t, root, "d/numbers", strings.ReplaceAll(numbers, "\n", " "))
	tooltest.Put(t, root, "d/x.png", tooltest.PNG)
	if err := os.Truncate(filepath.Join(root, "d/x.png"), 2<<20); err != nil {
		t.Fatal(err)
	}
	tooltest.Put(t, root, "d/large.png", tooltest.PNG)
	if err := os.Truncate(filepath.Join(root, "d/large.png"), 100<<30); err != nil {
		t.Skip("the file system has no sparse files: ", err)
	}
	word := []byte("w\x00o\x00r\x00d\x00\n\x00")
	words := append([]byte("\xff\xfe"), bytes.Repeat(word, (read.DecodedBytes-2)/len(word))...)
	tooltest.Put(t, root, "d/utf16", string(words))
	for i := range 2000 {
		tooltest.Put(t, root, fmt.Sprintf("some_name_of_a_file_%06d.txt", i), "")
	}
	e := nativetest.Environment(tooltest.Workspace(t, nil, root))
	type with map[string]any
	each := func(path string) string { return tooltest.Many(50, func(int) string { return path }) }
	misspelt := func(i int) string { return fmt.Sprintf("some_name_of_a_fiel_%d", i) }
	globs := func(i int) string { return fmt.Sprintf("{%s,*.%d}", strings.Repeat("x", 900), i) }
	escapes, ups := strings.Repeat(`\x41`, 250_000), strings.Repeat("../", 250_000)
	deep, lastColumn := "d/b.go/"+strings.Repeat("a/", 2000), fmt.Sprintf("d/long:1:%d", math.MaxInt)
	const huge = math.MaxInt
	for _, tt := range []struct {
		tool  string
		args  with
		limit uint64 // MiB
		want  string
	}{
		{"read_file", with{"path": escapes}, 16, `: file name too long`},
		{"list_dir", with{"path": strings.Repeat("a", 1<<20)}, 16, ": file name too long"},
		{"read_file", with{"path": strings.Repeat(":1", 1<<19)}, 16, ": file name too long"},
		{"find_files", with{"path": ups}, 16, " is outside the workspace"},
		{"read_file", with{"path": deep}, 4, "; d/b.go is a file"},
		{
			"list_dir",
			with{"path": tooltest.Many(100_000, misspelt)},
			16,
			"path must have at most 50 lines",
		},
		{
			"search_text",
			with{"pattern": "a", "glob": tooltest.Many(100_000, misspelt)},
			16,
			"at most 50 lines",
		},
		{"search_text", with{"pattern": "a", "glob": tooltest.Many(50, globs)}, 64, "in . matches glob"},
		{
			"read_file",
			with{"path": tooltest.Many(50, misspelt)},
			128,
			"there is no some_name_of_a_fiel_49",
		},
		{"read_file", with{"path": each("d/x.png")}, 64, "leave it 0 bytes; read it in another call"},
		{"read_file", with{"path": "d/large.png"}, 8, "107,374,182,400 bytes; too large to be shown"},
		{"read_file", with{"path": "d/utf16", "offset": 3_000_000, "limit": 2}, 2, "3000001\tword"},
		{"read_file", with{"path": each("d/long:1:4000000")}, 256, "characters 4,000,000-4,000,"},
		{"read_file", with{"path": lastColumn}, 4, "has 4,194,304 characters"},
		{"search_text", with{"pattern": "abc $", "path": "d/long"}, 64, `"d/long:1:4193905"]`},
		{
			"search_text",
			with{"pattern": "b", "output": "matches", "path": each("d/long"), "limit": huge},
			128, "d/long: matched texts 1-",
		},
		{
			"search_text",
			with{"pattern": `\d+`, "output": "matches", "path": each("d/numbers"), "limit": huge},
			128, "d/numbers: matched texts 1-",
		},
		{
			"search_text",
			with{"pattern": `\d+`, "output": "matches", "path": "d/numbers", "offset": huge},
			16, "no more matched texts: there are 500,000",
		},
		{
			"search_text",
			with{"pattern": "line", "output": "matches", "path": "d/lines"},
			64, "matched texts 1-100 of at least",
		},
		{
			"search_text",
			with{"pattern": `[^x]+`, "output": "matches", "path": "d/numbers"},
			4, "[match cut at 400 of 3,388,890 bytes; read_file",
		},
		{
			"search_text",
			with{"pattern": "line", "before": huge, "after": huge, "path": each("d/b.go")},
			64, "d/b.go: 30 matching lines in 1 file; context=100",
		},
		{"read_file", with{"path": "d/b.go", "block": huge, "limit": huge}, 4, "30 lines, none at"},
		{"read_file", with{"path": "d/b.go", "block": 3, "limit": huge}, 4, "the block around line 3"},
		{"find_files", with{"limit": huge, "offset": huge}, 16, "no more paths"},
		{"find_files", with{"limit": huge, "sort": "modified"}, 16, "paths 1-"},
		{"list_dir", with{"limit": huge, "offset": huge}, 16, "none from offset="},
	} {
		result, err := bounded(t, e, tt.tool, tt.want, tt.args, tt.limit)
		text, images := result.Text(), 0
		for _, p := range result.Parts {
			images += len(p.Data)
		}
		if err != nil {
			text = err.Error()
		}
		// Windows reports long paths differently.
		expected := strings.Contains(text, tt.want) || runtime.GOOS == "windows"
		if !expected || len(text) > 41_000 || images > section.MaxImageBytes {
			t.Errorf("%q: %d bytes, images of %d bytes: %.300q", tt.want, len(text), images, text)
		}
	}
}

// TestEncodingChanges reads a file that changes between UTF-16 and empty. No read may panic.
func TestEncodingChanges(t *testing.T) {
	root := t.TempDir()
	tooltest.Write(t, root, "a.txt")
	read := toolIn(nativetest.Environment(tooltest.Workspace(t, nil, root)), "read_file")
	ctx := t.Context()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			_ = os.WriteFile(root+"/a.txt", []byte("\xff\xfea\x00\n\x00"), 0o600)
			_ = os.Truncate(root+"/a.txt", 0)
		}
	}()
	for range 2000 {
		if _, err := read.Call(ctx, tool.Call{Args: []byte(`{"path":"a.txt"}`)}); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { <-done })
}

// FuzzArguments calls the tools with any arguments. A result must be within its budget and the same
// when repeated, and an error must be the caller's or of the files, never of the tool.
func FuzzArguments(f *testing.F) {
	for _, args := range []string{
		``, `{}`, `null`, `{"path":"a.txt"}`, `{"path":"dir/","depth":3,"limit":"2"}`,
		`{"path":"a.txt:2:1","numbers":false}`, `{"file_path":"~/a.txt","offset":-2}`,
		`{"path":"file:///a","details":true}`, `{"path":"b\\n","block":2}`, `{"path":"long:1:3"}`,
		`{"path":"a.txt","start_line":1,"end_line":2}`, `{"tail":1e9,"path":"a.txt\ndir"}`,
		`{"path":null,"offset":99999999999999999999,"ignored":"true"}`, `{"path":["x"]}`,
		`{"path":"l@","recursive":true}`, `{"pattern":"*.go","kind":"file","sort":"modified"}`,
		`{"pattern":"a","context":"7","limit":3,"offset":2,"output":"counts"}`,
		`{"query":"(","literal":true,"glob":"!{a,b}","path":"src:1:2"}`,
		`{"pattern":"[a-z]\\b","ignore_case":true,"context":1e9,"output":"matches"}`,
	} {
		f.Add(args, 0)
		f.Add(args, 150)
	}
	root := f.TempDir()
	tooltest.Write(f, root, "dir/sub/x", ".git/x", "src/a.go", "src/b")
	for name, content := range map[string]string{
		"a.txt": "one\n\ttwo\n\t\tthree\r\nfour", "long": strings.Repeat("x é\r", 2000),
		"bin": "\x00", "dir/y": "\xff", ".gitignore": "y\n", "utf16": "\xff\xfea\x00\n\x00",
	} {
		tooltest.Put(f, root, name, content)
	}
	_ = os.Symlink("dir/sub", filepath.Join(root, "l"))
	s := call.Settings{MaxChars: 2000, Home: root}
	tools := toolsIn(&call.Environment{Workspace: tooltest.Workspace(f, nil, root), Settings: s})
	f.Fuzz(func(t *testing.T, args string, limit int) {
		for _, each := range tools {
			c := tooltest.NewCaller(t, each, toolset.Options{})
			result, failure := c.Call(args, limit%3000)
			if failure != nil {
				several := strings.Contains(args, `\n`)
				if failure.Kind == tool.Internal || !utf8.ValidString(failure.Message) ||
					strings.ContainsAny(failure.Message, "\n\r") && !several ||
					strings.Contains(failure.Message, "%!") && !strings.Contains(args, "%") {
					t.Errorf("%s %s: %s: %q", c.ID, args, failure.Kind, failure.Message)
				}
				continue
			}
			if section.SizeOf(result.Text()).Chars > 2000 || result.Text() == "" {
				t.Errorf("%s %s: %d characters", c.ID, args, len(result.Text()))
			}
			if again, _ := c.Call(args, limit%3000); again.Text() != result.Text() {
				t.Errorf("%s %s: another result the second time", c.ID, args)
			}
		}
	})
}
