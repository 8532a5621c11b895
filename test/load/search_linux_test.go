package load

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// TestLongLine checks that the memory to search a line does not depend on its length. GANDER_LINE
// sets the length in GB.
func TestLongLine(t *testing.T) {
	size := int64(64 << 20)
	if testing.Short() {
		size = 32 << 20
	}
	if text := os.Getenv("GANDER_LINE"); text != "" {
		n, err := strconv.Atoi(text)
		testkit.Must(t, err)
		size = int64(n) << 30
	}
	root := fixture.Make(t)
	f, err := os.Create(root + "/line")
	testkit.Must(t, err)
	block := []byte(strings.Repeat("no line feed here ", 1<<16))
	for written := int64(0); written < size; written += int64(len(block)) {
		_, err := f.Write(block)
		testkit.Must(t, err)
	}
	_, err = f.WriteString("the end")
	testkit.Must(t, errors.Join(err, f.Close()))
	toolset := testkit.Open(t, gander.Options{
		Roots: []string{root}, Limits: gander.Limits{Timeout: -1},
	})
	var before, after runtime.MemStats
	for _, pattern := range []string{"the end", `(?i)the\s+end$`, `\w+ the`, "nothing"} {
		for _, id := range []string{"gander/search_text", "codex/grep_files"} {
			args, err := json.Marshal(map[string]string{"pattern": pattern})
			testkit.Must(t, err)
			runtime.ReadMemStats(&before)
			result, err := toolset.Call(t.Context(), id, args)
			testkit.Must(t, err)
			runtime.ReadMemStats(&after)
			nothing := result.NothingFound || strings.HasPrefix(result.Text(), "No matches")
			if nothing != (pattern == "nothing") {
				t.Errorf("%s %q: %.200q", id, pattern, result.Text())
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
				t.Errorf("%s %q needs %d MiB in all", id, pattern, used>>20)
			}
		}
	}
}

// TestSearchMemory checks that the program needs less than 64 MB for patterns with exponential
// automata, for many or long lines, for many matches, and for a search in order of modification
// time.
func TestSearchMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program")
	}
	root := fixture.Make(t, "many/")
	var lines strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&lines, "%d abcabdbcacdcb 1Z Q %d\n", i, i*7919)
	}
	write := func(name, text string) {
		testkit.Must(t, os.WriteFile(root+"/"+name, []byte(text), 0o600))
	}
	write("lines", lines.String())
	write("long", strings.ReplaceAll(lines.String(), "\n", " "))
	for i := range 2_000 {
		write(fmt.Sprintf("many/a-file-with-a-name-%05d", i), "abc\n")
	}
	p := startAll(t, root)
	for _, pattern := range []string{
		`(a*)*b`, `.{1000}`, `(a|b|c)*d.{50}e`, `\w.{40}\d.{40}[A-Z]Q`, `\w{300}`, `(?i)abc`,
		`[ab]{0,1000}c`, "nothing",
	} {
		p.call(t, "codex/grep_files", fmt.Sprintf(`{"pattern":%q,"limit":100000}`, pattern))
		p.call(t, "gander/search_text",
			fmt.Sprintf(`{"pattern":%q,"limit":100000,"context":100}`, pattern))
	}
	p.checkPeak(t, maxSearching)
}
