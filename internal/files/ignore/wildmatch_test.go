package ignore

import (
	"bytes"
	"strings"
	"testing"
)

// wildmatchReference tries every way to divide the text among the stars. It remembers failures, because it would otherwise
// take exponential time.
func wildmatchReference(pattern string, text []byte) bool {
	type position struct{ p, t int }
	failed := map[position]bool{}
	var match func(p, t int) bool
	afterSlashes := func(p, t int) bool {
		for ; t < len(text); t++ {
			if text[t] == '/' && match(p, t+1) {
				return true
			}
		}
		return false
	}
	one := func(p, t int) bool {
		if p == len(pattern) {
			return t == len(text)
		}
		if pattern[p] != '*' {
			size := 0
			if t < len(text) {
				size = matchOne(pattern[p:], text[t])
			}
			return size > 0 && match(p+size, t+1)
		}
		rest := strings.TrimLeft(pattern[p:], "*")
		after := len(pattern) - len(rest)
		if after-p > 1 && (p == 0 || pattern[p-1] == '/') {
			switch {
			case rest == "":
				return true
			case rest[0] == '/':
				return match(after+1, t) || afterSlashes(after+1, t)
			case strings.HasPrefix(rest, `\/`):
				return afterSlashes(after+2, t)
			}
		}
		for ; ; t++ {
			if match(after, t) {
				return true
			}
			if t == len(text) || text[t] == '/' {
				return false
			}
		}
	}
	match = func(p, t int) bool {
		at := position{p, t}
		if failed[at] {
			return false
		}
		ok := one(p, t)
		failed[at] = !ok
		return ok
	}
	return match(0, 0)
}

func FuzzWildmatch(f *testing.F) {
	for _, seed := range []struct{ pattern, text string }{
		{"**/a*/b", "x/aa/a/b"},
		{`a/**\/b**/*c`, "a/x/b/cc"},
		{"**/*a*b/**/?[!a]c/**", "b/aab/b/a/xbc/c"},
		{"*a*b*[ab]", "aababab"},
		{"**a/**", "a/b"},
	} {
		f.Add(seed.pattern, seed.text)
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		text = strings.Trim(text, "/")
		if len(pattern) > 100 || len(text) > 100 || strings.Contains(text, "//") {
			return
		}
		if got, want := wildmatch(pattern, []byte(text)), wildmatchReference(pattern, []byte(text)); got != want {
			t.Errorf("wildmatch(%q, %q) = %v", pattern, text, got)
		}
	})
}

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
