package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"", 0, ""},
		{"", 5, ""},
		{"abc", -1, ""},
		{"abc", 0, ""},
		{"abc", 2, "ab"},
		{"abc", 3, "abc"},
		{"abc", 4, "abc"},
		{"aé", 2, "a"},
		{"aé", 3, "aé"},
		{"日本", 2, ""},
		{"日本", 5, "日"},
		{"😀x", 3, ""},
		{"😀x", 4, "😀"},
		{strings.Repeat("é", 300), 501, strings.Repeat("é", 250)},
	} {
		if got := Cut(c.in, c.n); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("a日本😀", 5)
	f.Add("\x80\x80", 1)
	f.Add("", -1)
	f.Fuzz(func(t *testing.T, s string, n int) {
		got := Cut(s, n)
		if !strings.HasPrefix(s, got) || len(got) > max(n, 0) {
			t.Fatalf("Cut(%q, %d) = %q", s, n, got)
		}
		if !utf8.ValidString(s) {
			return
		}
		if !utf8.ValidString(got) {
			t.Fatalf("Cut(%q, %d) = %q splits a character", s, n, got)
		}
		if _, size := utf8.DecodeRuneInString(s[len(got):]); size > 0 && len(got)+size <= n {
			t.Fatalf("Cut(%q, %d) = %q, but one more character fits", s, n, got)
		}
	})
}
