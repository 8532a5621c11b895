package native

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gander/internal/native/call"
	"gander/internal/testkit/tooltest"
)

// TestHighlight colors results that have each kind of line.
func TestHighlight(t *testing.T) {
	root := t.TempDir()
	tooltest.Put(t, root, "[id].go",
		"func f() {\n"+strings.Repeat("\tx\n", 20)+"\tfoo bar foo\n\ty\n}\n")
	tooltest.Put(t, root, "late.dat", "foo\n"+strings.Repeat("text\n", 20_000)+"\x00\n")
	tooltest.Put(t, root, "long.txt", strings.Repeat("x", 401)+"foo foo\n")
	tooltest.Put(t, root, "--", "foo\n1\n2\n3\n4\nfoo\n")
	c := toolOf(t, call.DefaultSettings(), "search_text", root)
	mark := strings.NewReplacer(
		"\x1b[35m", "PATH<", "\x1b[32m", "NUMBER<", "\x1b[1;31m", "MATCH<", "\x1b[0m", ">")
	for _, tt := range []struct{ args, want string }{
		{`"glob":"*.go"`, "PATH<[id].go>\nNUMBER<1>=\tfunc f() {\nNUMBER<20>-\t\tx\nNUMBER<21>-\t\tx\n" +
			"NUMBER<22>\t\tMATCH<foo> bar MATCH<foo>\nNUMBER<23>-\t\ty\nNUMBER<24>-\t}"},
		{`"glob":"*.go","output":"matches"`, "PATH<[id].go>\nNUMBER<22> x2\tMATCH<foo>"},
		{`"glob":"long.txt","output":"matches"`, "PATH<long.txt>\nNUMBER<1:402> x2\tMATCH<foo>"},
		{`"glob":"--","context":1`, "PATH<-->\nNUMBER<1>\tMATCH<foo>\nNUMBER<2>-\t1\n--\n" +
			"NUMBER<5>-\t4\nNUMBER<6>\tMATCH<foo>"},
		{`"glob":"--","limit":1`, "PATH<-->\nNUMBER<1>\tMATCH<foo>\n[continue with offset=2]"},
		{`"glob":"late.dat","context":0`, "PATH<late.dat>\nNUMBER<1>\tMATCH<foo>\n" +
			"[binary from here; not searched further]"},
		{`"path":["--","late.dat"],"context":0`,
			"PATH<-->\nNUMBER<1>\tMATCH<foo>\nNUMBER<6>\tMATCH<foo>\n\n" +
				"PATH<late.dat: 1 matching line in 1 file>\nPATH<late.dat>\n"},
	} {
		args := fmt.Sprintf(`{"pattern":"foo",%s}`, tt.args)
		colored := c.Toolset.Highlight(t.Context(), c.ID, json.RawMessage(args),
			tooltest.Output(c, args, -1))
		_, got, _ := strings.Cut(mark.Replace(colored), "\n")
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s:\n%s\nwant\n%s", tt.args, got, tt.want)
		}
	}
}
