package native

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"gander/internal/files/workspace"
	"gander/internal/layout"
	"gander/internal/testkit/tooltest"
	"gander/internal/toolset"
	"gander/tool"
)

// newFiles returns the state of tools with default settings.
func newFiles(w *workspace.Workspace) *files {
	return &files{workspace: w, settings: DefaultSettings()}
}

// tool returns the tool with a name.
func (f *files) tool(name string) tool.Tool {
	for _, t := range f.tools() {
		if t.Spec().Name == name {
			return t
		}
	}
	panic("no tool " + name)
}

// newCall returns a call without a budget.
func (f *files) newCall(t *testing.T) *call {
	return &call{files: f, ctx: t.Context(), layout: layout.From(t.Context()), paths: 1}
}

// toolOf returns a caller of the tool with this name over roots.
func toolOf(t *testing.T, s Settings, name string, deny []string, roots ...string) tooltest.Caller {
	t.Helper()
	tools := New(tooltest.Workspace(t, deny, roots...), s)
	i := slices.IndexFunc(tools, func(each tool.Tool) bool { return each.Spec().Name == name })
	return tooltest.NewCaller(t, tools[i], toolset.Options{MaxDataBytes: 100})
}

// output returns the text of a result or of an error.
func output(c tooltest.Caller, args string, limit int) string {
	c.T.Helper()
	result, failure := c.Call(args, limit)
	if failure != nil {
		return fmt.Sprintf("%s: %s", failure.Kind, failure.Message)
	}
	return result.Text()
}

// callTool calls a tool twice. The results must be the same and within the budget. It reports false
// if the budget is too small.
func callTool(t *testing.T, x tool.Tool, args map[string]any, budget int) (string, bool) {
	t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	c := tool.Call{Args: raw, Budget: tool.Budget{MaxOutputBytes: &budget}}
	result, err := x.Call(t.Context(), c)
	again, errAgain := x.Call(t.Context(), c)
	if fmt.Sprint(result, err) != fmt.Sprint(again, errAgain) {
		t.Errorf("%s: two results:\n%v %v\n%v %v", raw, result, err, again, errAgain)
	}
	if err != nil {
		if !strings.Contains(err.Error(), "too small") {
			t.Fatalf("%s: %v", raw, err)
		}
		return "", false
	}
	text := result.Text()
	if len(text) > budget {
		t.Errorf("%s: %d bytes with a budget of %d:\n%s", raw, len(text), budget, text)
	}
	if partial := strings.Contains(text, "continue with offset="); partial != result.Truncated {
		t.Errorf("%s: truncated is %v:\n%s", raw, result.Truncated, text)
	}
	return text, true
}

var offsetMarker = regexp.MustCompile(`\n\[(?:[\d,]+ more; )?continue with offset=(\d+)\]$`)

// pages calls a tool and follows the markers to the end. It returns the lines of all results
// without headings and markers.
func pages(t *testing.T, x tool.Tool, args map[string]any, budget func() int) (lines []string) {
	t.Helper()
	for range 10_000 {
		text, ok := callTool(t, x, args, budget())
		for i := 1; !ok && i < 8; i++ {
			text, ok = callTool(t, x, args, 2000*i)
		}
		next := offsetMarker.FindStringSubmatch(text)
		body := strings.Split(strings.TrimSuffix(text, strings.Join(next, "")), "\n")
		if next == nil {
			return append(lines, body[1:]...)
		}
		if !strings.Contains(body[0], "continue with offset="+next[1]) {
			t.Fatalf("%v: the heading has no hint to continue:\n%s", args, text)
		}
		lines = append(lines, strings.Split(strings.TrimSuffix(text, next[0]), "\n")[1:]...)
		offset, _ := strconv.Atoi(next[1])
		if last, _ := args["offset"].(int); offset <= last {
			t.Fatalf("%v: no progress:\n%s", args, text)
		}
		args["offset"] = offset
	}
	t.Fatal("too many pages")
	return nil
}

// put writes a file.
func put(t testing.TB, root, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// utf16Of returns text in UTF-16 with a byte order mark.
func utf16Of(order binary.AppendByteOrder, text string) string {
	var b []byte
	for _, unit := range append([]uint16{0xfeff}, utf16.Encode([]rune(text))...) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}

const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"

// write makes files that contain their paths. A path that ends in a slash is a directory.
func write(t testing.TB, root string, paths ...string) {
	t.Helper()
	for _, p := range paths {
		full := filepath.Join(root, p)
		if strings.HasSuffix(p, "/") {
			if err := os.MkdirAll(full, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(p), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
