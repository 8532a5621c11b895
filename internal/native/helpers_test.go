package native

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"gander/internal/files/workspace"
	"gander/internal/testkit/tooltest"
	"gander/internal/toolset"
	"gander/tool"
)

// newEnvironment returns the state of tools with default settings.
func newEnvironment(w *workspace.Workspace) *environment {
	return &environment{workspace: w, settings: DefaultSettings()}
}

// tool returns the tool with a name.
func (e *environment) tool(name string) tool.Tool {
	for _, t := range e.tools() {
		if t.Spec().Name == name {
			return t
		}
	}
	panic("no tool " + name)
}

// newCall returns a call with one path.
func (e *environment) newCall(t *testing.T) *call {
	return &call{environment: e, ctx: t.Context(), pathCount: 1}
}

// caller returns a caller of the tool with a name.
func (e *environment) caller(t testing.TB, name string) tooltest.Caller {
	return tooltest.NewCaller(t, e.tool(name), toolset.Options{MaxDataBytes: 100})
}

// toolOf returns a caller of the tool with a name over a root.
func toolOf(t *testing.T, s Settings, name, root string) tooltest.Caller {
	return (&environment{workspace: tooltest.Workspace(t, nil, root), settings: s}).caller(t, name)
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

// callTwice calls a tool twice. The results must be the same and within the limit. It reports false
// if the limit is too small for a result.
func callTwice(c tooltest.Caller, args string, limit int) (tool.Result, bool) {
	c.T.Helper()
	result, failure := c.Call(args, limit)
	if failure != nil {
		if !strings.Contains(failure.Message, "too small for any answer") {
			c.T.Fatalf("%s: %s", args, failure.Message)
		}
		return result, false
	}
	if again, _ := c.Call(args, limit); again.Text() != result.Text() {
		c.T.Errorf("%s: two results:\n%s\n%s", args, result.Text(), again.Text())
	}
	if limit >= 0 && len(result.Text()) > limit {
		c.T.Errorf("%s: %d bytes, the limit is %d", args, len(result.Text()), limit)
	}
	return result, true
}

var offsetMarker = regexp.MustCompile(`\n\[(?:[\d,]+ more; )?continue with offset=(\d+)\]$`)

// pages calls a tool and follows the markers to the end. It returns the lines of all results
// without headings and markers.
func pages(c tooltest.Caller, args map[string]any, budget func() int) (lines []string) {
	c.T.Helper()
	for range 10_000 {
		raw, err := json.Marshal(args)
		if err != nil {
			c.T.Fatal(err)
		}
		result, ok := callTwice(c, string(raw), budget())
		for i := 1; !ok && i < 8; i++ {
			result, ok = callTwice(c, string(raw), 2000*i)
		}
		text := result.Text()
		next := offsetMarker.FindStringSubmatch(text)
		if result.Truncated != (next != nil) {
			c.T.Errorf("%s: truncated is %v:\n%s", raw, result.Truncated, text)
		}
		if next == nil {
			return append(lines, strings.Split(text, "\n")[1:]...)
		}
		body := strings.Split(strings.TrimSuffix(text, next[0]), "\n")
		lines = append(lines, body[1:]...)
		offset, _ := strconv.Atoi(next[1])
		last, _ := args["offset"].(int)
		if !strings.Contains(body[0], "continue with offset="+next[1]) || offset <= last {
			c.T.Fatalf("%s: the heading has no hint to continue, or no progress:\n%s", raw, text)
		}
		args["offset"] = offset
	}
	c.T.Fatal("too many pages")
	return nil
}

// randomBudget returns budgets from tiny to large.
func randomBudget(r *rand.Rand) func() int {
	return func() int { return []int{60, 150, 400, 1000, 5000, 40_000}[r.IntN(6)] }
}

// put writes a file and its directories.
func put(t testing.TB, root, name, content string) {
	t.Helper()
	file := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// write makes files that contain their paths. A path that ends in a slash is a directory.
func write(t testing.TB, root string, paths ...string) {
	t.Helper()
	for _, p := range paths {
		if !strings.HasSuffix(p, "/") {
			put(t, root, p, p)
		} else if err := os.MkdirAll(filepath.Join(root, p), 0o755); err != nil {
			t.Fatal(err)
		}
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

// png is an image of one pixel.
const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" +
	"\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00:~\x9bU" +
	"\x00\x00\x00\nIDATx\xdach\x00\x00\x00\x82\x00\x81\xdaE\b;\x00\x00\x00\x00IEND\xaeB`\x82"
