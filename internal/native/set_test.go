package native

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gander/internal/documents"
	"gander/internal/documents/office"
	"gander/internal/files/text"
	"gander/internal/native/call"
	"gander/internal/native/lookup"
	"gander/internal/native/wording"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
	"gander/internal/testkit/unprivileged"
	"gander/tool"
)

// TestPathsWork gives every path in a result of list_dir to each of the tools. The other tools must
// write the same paths.
func TestPathsWork(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 3 {
		roots := []string{t.TempDir(), t.TempDir()}
		e := nativetest.Environment(tooltest.Workspace(t, nil, roots...))
		for i, root := range roots {
			entries := oddTree(t, r, root, 40)
			start := cmp.Or(strings.Repeat(text.EscapePath(root), i), ".")
			c := newCrawler(callerIn(t, e, "list_dir"), -1, start, "")
			if !c.crawl() || len(c.seen) != len(entries) {
				t.Errorf("%d paths of %d entries", len(c.seen), len(entries))
			}
			listed := map[string]bool{}
			for p := range c.seen {
				full, ok := text.UnescapePath(p)
				if listed[full] = true; !ok {
					t.Fatalf("%s does not unescape", p)
				}
				if i == 0 {
					full = filepath.Join(root, full)
				}
				checkPath(t, e, full, p)
			}
			for args, name := range map[string]string{
				`"limit":1000`: "find_files",
				`"pattern":"^","output":"files","limit":1000`: "search_text",
			} {
				args = fmt.Sprintf(`{"path":%s,%s}`, text.AppendQuote(nil, start), args)
				lines := strings.Split(tooltest.Output(callerIn(t, e, name), args, -1), "\n")
				if len(lines) < 2 {
					t.Errorf("%s: %s", name, lines)
				}
				for _, p := range lines[1:] {
					raw, _ := text.UnescapePath(strings.TrimSuffix(p, "/"))
					if !listed[raw] || strings.HasPrefix(p, "[") && strings.HasSuffix(p, "]") {
						t.Errorf("%s: %s is no path of list_dir, or could pass for a note", name, p)
					}
				}
			}
		}
	}
}

// checkPath checks that a path in a result names the file full in each tool.
func checkPath(t *testing.T, e *call.Environment, full, shown string) {
	t.Helper()
	info, statErr := os.Stat(full)
	for name, args := range map[string]string{
		"list_dir": "", "read_file": "", "find_files": `"pattern":"",`,
		"search_text": `"pattern":"^.*$","output":"counts",`,
	} {
		args = fmt.Sprintf(`{%s"path":%s}`, args, text.AppendQuote(nil, shown))
		answer := tooltest.Output(callerIn(t, e, name), args, -1)
		kind, _, _ := strings.Cut(answer, ":")
		wrong := slices.Contains([]string{"not_found", "bad_arguments", "outside"}, kind)
		switch reads := name == "list_dir" || name == "read_file"; {
		case statErr != nil:
			wrong = reads && !strings.Contains(answer, "cannot be followed")
		case name == "list_dir" && !info.IsDir():
			wrong = !strings.Contains(answer, wording.Grouped(info.Size())+" bytes")
		}
		if wrong {
			t.Errorf("%s %s: %s", name, shown, answer)
		}
	}
}

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
		tool := callerIn(t, nativetest.Environment(w), name)
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
			result := tooltest.Output(tool, args, -1)
			if !strings.HasPrefix(result, "not_found: ") || !strings.Contains(result, want) {
				t.Errorf("%s %s: %s", name, args, result)
			}
		}
	}
}

// TestMissingName checks that the pattern that an error suggests for a missing file finds others
// with the same name, and that a name is not suggested in part.
func TestMissingName(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"[id].ts", "{id}.ts", "plain.ts"} {
		for i := range lookup.MaxNear + 1 {
			tooltest.Write(t, root, fmt.Sprintf("p%d/%s", i, name))
		}
	}
	tooltest.Write(t, root, "api/")
	e := nativetest.Environment(tooltest.Workspace(t, nil, root))
	find := callerIn(t, e, "find_files")
	for name, pattern := range map[string]string{
		"[id].ts": `\[id].ts`, "{id}.ts": `\{id\}.ts`, "plain.ts": "plain.ts",
	} {
		_, err := e.NewCall("").Paths.Find(t.Context(), "api/"+name)
		want := fmt.Sprintf(`, find_files pattern="%s" looks everywhere`, pattern)
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
		found := tooltest.Output(find, fmt.Sprintf(`{"pattern":%q}`, pattern), -1)
		if n := strings.Count(found, "/"+name); n != lookup.MaxNear+1 {
			t.Errorf("%s finds %d paths: %s", pattern, n, found)
		}
	}
	_, err := e.NewCall("").Paths.Find(t.Context(), "api/"+strings.Repeat("long", 30))
	if err == nil || !strings.HasSuffix(err.Error(), `; list_dir path="api" shows what is there`) {
		t.Errorf("a long name: %v", err)
	}
}

// TestDefinitionsWithoutDocuments checks that the definitions mention documents only if there are
// formats.
func TestDefinitionsWithoutDocuments(t *testing.T) {
	for _, formats := range [][]documents.Format{nil, office.Formats()} {
		text := ""
		for _, tool := range toolsIn(&call.Environment{Settings: call.Settings{Documents: formats}}) {
			spec := tool.Spec()
			text += spec.Description + string(spec.Input)
		}
		want := 0
		if formats != nil {
			want = 3
		}
		if got := strings.Count(text, "document"); got != want {
			t.Errorf("%d formats: %d mentions of documents", len(formats), got)
		}
	}
}

// TestShutDirectories lists a tree with directories that cannot be entered. Results name them, and
// say that something was not read unless it is only denied.
func TestShutDirectories(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		root := fixture.Make(
			t, "a/.ssh/id", "a/f", "b/shut/f", "b/shut/ 0000", ".ssh/id", "c/unread 0000",
		)
		w := tooltest.Workspace(t, []string{"**/.ssh/**"}, root)
		e := &call.Environment{Workspace: w, Settings: call.DefaultSettings()}
		everything := strings.Fields(".ssh/ a/ a/.ssh/ a/f b/ b/shut/ c/ c/unread")
		for _, tt := range []struct {
			tool, args string
			unreadable bool
			want       []string
		}{
			{"list_dir", `{"depth":9}`, true, everything},
			{"list_dir", `{"depth":9,"path":"a"}`, false, []string{"a/.ssh/", "a/f"}},
			{"find_files", `{}`, true, everything},
			{"find_files", `{"sort":"modified"}`, true, everything},
			{"find_files", `{"pattern":"shut"}`, true, []string{"b/shut/"}},
			{"find_files", `{"kind":"directory","path":"a"}`, false, []string{"a/.ssh/"}},
			{"find_files", `{"pattern":"absent"}`, true, nil},
			{"search_text", `{"pattern":"absent"}`, true, nil},
			{"search_text", `{"pattern":"absent","path":"c"}`, true, nil},
			{"search_text", `{"pattern":"absent","path":"a"}`, false, nil},
			{"search_text", `{"pattern":"absent","path":"a\nnone"}`, true, nil},
			{"search_text", `{"pattern":"absent","path":"a\na"}`, false, nil},
		} {
			nt := toolIn(e, tt.tool)
			ctx := context.Background()
			result, err := nt.Call(ctx, tool.Call{Args: json.RawMessage(tt.args)})
			if err != nil || result.Unreadable != tt.unreadable {
				t.Errorf("%s %s: unreadable %t, error %v", tt.tool, tt.args, result.Unreadable, err)
			}
			for _, want := range tt.want {
				name := want[strings.LastIndex(strings.TrimSuffix(want, "/"), "/")+1:]
				if !strings.Contains(result.Text(), name) {
					t.Errorf("%s %s: no %s in\n%s", tt.tool, tt.args, want, result.Text())
				}
			}
		}
	})
}

// toolIn returns the tool with a name.
func toolIn(e *call.Environment, name string) *call.Tool {
	for _, t := range toolsIn(e) {
		if t.Spec().Name == name {
			return t.(*call.Tool)
		}
	}
	panic("no tool " + name)
}

// callerIn returns a caller of the tool with a name.
func callerIn(t testing.TB, e *call.Environment, name string) tooltest.Caller {
	return nativetest.Caller(t, toolIn(e, name))
}

// toolOf returns a caller of the tool with a name over a root.
func toolOf(t *testing.T, s call.Settings, name, root string) tooltest.Caller {
	build := func(e *call.Environment) *call.Tool { return toolIn(e, name) }
	return nativetest.Over(t, build, s, root)
}
