package text

import "testing"

func TestSameFolded(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"README.md", "readme.MD", true},
		{"caf\u00e9", "cafe\u0301", true},
		{"CAFE\u0301", "caf\u00e9", true},
		{"a b", "a\u00a0b", true},
		{"\uff21", "a", true},
		{"", "", true},
		{"a\xff", "A\xff", true},
		{"a", "b", false},
		{"cafe", "caf\u00e9", false},
		{"a.b", "ab", false},
	} {
		if got := SameFolded(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}
