package native

import (
	"encoding/json"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// TestHostilePatterns checks that no pattern takes much memory or time to parse and compile, and that
// the text of an error is short.
func TestHostilePatterns(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt")
	search := newFiles(tooltest.Workspace(t, nil, root)).tool("search_text")
	for _, pattern := range []string{
		"[" + strings.Repeat(`\w`, 500_000) + "]", strings.Repeat(`\w`, 60_000), strings.Repeat("a", 900_000) + "(",
		"[" + strings.Repeat(`\w`, 4000) + "]", strings.Repeat(`[\w]`, 2000), "(?i)" + strings.Repeat(`\pL`, 2700),
		"(?i)[" + strings.Repeat(`\pL&&`, 1600) + "a]", strings.Repeat("a|", 4000), strings.Repeat(".{1000}", 1000),
		strings.Repeat(`\w{300}`, 1000), strings.Repeat("(a?", 250) + strings.Repeat("){9}", 250),
	} {
		args, err := json.Marshal(map[string]any{"pattern": pattern})
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		_, err = search.Call(t.Context(), tool.Call{Args: args})
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		if took > 3*time.Second || after.TotalAlloc-before.TotalAlloc > 256<<20 {
			t.Errorf("%.20s (%d bytes): %d MiB allocated in %v", pattern, len(pattern), (after.TotalAlloc-before.TotalAlloc)>>20, took)
		}
		if err != nil && len(err.Error()) > 2000 {
			t.Errorf("%.20s: an error of %d bytes", pattern, len(err.Error()))
		}
	}
}

// TestLineEnds checks that CRLF ends a line for a pattern, as for read_file.
func TestLineEnds(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(root+"/a.txt", []byte("a\r\nreturn\r\n\r\nreturn x\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	search := newFiles(tooltest.Workspace(t, nil, root)).tool("search_text")
	for pattern, want := range map[string]string{
		"return$": "1 matching line in 1 file\na.txt\n2\treturn",
		"^$":      "1 matching line in 1 file\na.txt\n3\t",
		`^a\s*$`:  "1 matching line in 1 file\na.txt\n1\ta",
		`x\r`:     "1 matching line in 1 file\na.txt\n4\treturn x",
	} {
		args, err := json.Marshal(map[string]any{"pattern": pattern, "context": 0})
		if err != nil {
			t.Fatal(err)
		}
		result, err := search.Call(t.Context(), tool.Call{Args: args})
		if err != nil || result.Text() != want {
			t.Errorf("%s: %q %v, want %q", pattern, result.Text(), err, want)
		}
	}
}
