package ignore

import (
	"bytes"
	"strings"
	"testing"
)

func FuzzMatch(f *testing.F) {
	f.Add([]byte("*.o\r\n!a/**/b\n[[:alpha:]-z]/\n\\#x \\ \n/a/*[!]\n"), "a/b/c.o", true)
	f.Add([]byte("\uFEFFfoo\n**/\x00\n[a-\n\\"), "foo", false)
	f.Fuzz(func(t *testing.T, data []byte, path string, isDir bool) {
		if len(data)*len(path) > 1<<20 {
			return
		}
		file := Parse("f", "", data)
		m := MatchPath(path, isDir, file, Parse("g", "a", data))
		if m.Verdict == None {
			if m != (Match{}) {
				t.Errorf("no match, but %+v", m)
			}
			return
		}
		lines := bytes.Split(data, []byte("\n"))
		if m.Line < 1 || m.Line > len(lines) || !bytes.Contains(lines[m.Line-1], []byte(m.Pattern)) {
			t.Errorf("%q is not in its line", m)
		}
		if (m.Verdict == Include) != strings.HasPrefix(m.Pattern, "!") {
			t.Errorf("%q has verdict %d", m, m.Verdict)
		}
	})
}
