package load

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/program"
)

// TestMemory checks the memory of the program for calls that are hostile to it.
func TestMemory(t *testing.T) {
	testkit.SkipLong(t)
	root := fixture.Make(t, "text/", "long/")
	write := func(name, content string) {
		testkit.Must(t, os.WriteFile(root+"/"+name, []byte(content), 0o600))
	}
	var lines strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&lines, "%d abcabdbcacdcb 1Z Q %d\n", i, i*7919)
	}
	write("text/lines", lines.String())
	write("text/line", strings.ReplaceAll(lines.String(), "\n", " "))
	for i := range 2_000 {
		write(fmt.Sprintf("text/a-file-with-a-name-%05d", i), "abc\n")
	}
	write("long/line", strings.Repeat("no line feed here ", 10<<20)+"the end")
	config := t.TempDir() + "/gander.toml" // without a timeout and a limit of memory
	testkit.Must(t, os.WriteFile(config, []byte("[limits]\ntimeout = 0\nmemory_bytes = 0\n"), 0o600))
	type call struct{ tool, args string }
	search := func(dir string, patterns ...string) (calls []call) {
		for _, p := range patterns {
			args := fmt.Sprintf(`{"path":"%s/%s","pattern":%q,"limit":100000`, root, dir, p)
			calls = append(calls, call{"codex/grep_files", args + "}"},
				call{"gander/search_text", args + `,"context":100}`})
		}
		return calls
	}
	var numbers []call
	for i := range 36 {
		values := 7_500_000 // a line of 15 MB
		if i >= 4 {
			values = 500_000 // the maximum number of values
		}
		args := fmt.Sprintf(`{"paths":[%s1]}`, strings.Repeat("1,", values))
		numbers = append(numbers, call{"filesystem/read_multiple_files", args})
	}
	for _, tt := range []struct {
		name      string
		megabytes int
		calls     []call
		atOnce    bool
		options   []string
	}{
		{"patterns with large automata", 64, search("text", `(a*)*b`, `.{1000}`, `(a|b|c)*d.{50}e`,
			`\w.{40}\d.{40}[A-Z]Q`, `\w{300}`, `(?i)abc`, `[ab]{0,1000}c`, "nothing"), false, nil},
		{
			"a long line", 64,
			search("long", "the end", `(?i)the\s+end$`, `\w+ the`, "nothing"), false,
			[]string{"--config", config},
		},
		{"many values", 60, numbers, true, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := program.Open(t, root, tt.options...)
			next := make(chan bool, len(tt.calls))
			go func() {
				for i, c := range tt.calls {
					_, _ = io.WriteString(p.In, program.Call(i, c.tool, c.args))
					if !tt.atOnce {
						<-next
					}
				}
			}()
			for range tt.calls {
				r := program.ReadReply(t, p.Out)
				next <- true
				nothing := strings.Contains(r.Text, "o match")
				if r.Failed != (tt.name == "many values") ||
					tt.name == "a long line" && nothing != (r.ID/2 == 3) {
					t.Errorf("%.300v", r)
				}
			}
			p.CheckPeak(t, tt.megabytes)
		})
	}
}
