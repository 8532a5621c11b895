package walk_test

import (
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/testkit/fixture"
)

// TestMaxKey checks that keys are cut at a character boundary, and that entries with equal cut keys
// are sorted by path.
func TestMaxKey(t *testing.T) {
	for _, tt := range []struct {
		max     int
		entries []string
		want    string
	}{
		{0, []string{"a/x", "a-b", "a.txt", "a0"}, "a a-b a.txt a/x a0"},
		{4, []string{"a/x", "a-b", "a.txt", "a0"}, "a a-b a.txt a/x a0"},
		{1, []string{"a/x", "a-b", "a.txt", "a0"}, "a a-b a.txt a/x a0"},
		{1, []string{"b", "a0", "a/z/y", "a/z-"}, "a a/z a/z- a/z/y a0 b"},
		{2, []string{"ab", "aé", "a\u0301"}, "aé a\u0301 ab"},
		{2, []string{"d/\xff", "d/😀", "d/b"}, "d d/b d/😀 d/\xff"},
		{3, []string{"日本", "日x", "日/é"}, "日 日/é 日x 日本"},
		{2, []string{"日本", "日x", "日/é"}, "日 日/é 日x 日本"},
		{5, []string{"aaaa/x/y", "aaaa/x-", "aaaa-"}, "aaaa aaaa- aaaa/x aaaa/x- aaaa/x/y"},
	} {
		if runtime.GOOS == "windows" && !utf8.ValidString(tt.want) {
			continue // Windows has no such names
		}
		start := open(t, fixture.Make(t, tt.entries...))
		for name, order := range map[string]names.Order{"none": {}, "lossy": {Key: text.LossyKey}} {
			if name == "none" && !utf8.ValidString(tt.want) {
				continue // only UTF-8 has character boundaries
			}
			o := walk.Options{Order: walk.PathOrder, Depth: 9, MaxKey: tt.max, NameOrder: order}
			got := strings.Join(paths(t, walk.Entries(t.Context(), start, o)), " ")
			if got != tt.want {
				t.Errorf("%q cut to %d, key %s: got %q, want %q", tt.entries, tt.max, name, got, tt.want)
			}
		}
	}
}
