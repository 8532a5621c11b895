//go:build linux

package search_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/ripgrep"
)

// TestGlobsAsRipgrep compares files selected by random globs, and invalid globs, with rg --files.
func TestGlobsAsRipgrep(t *testing.T) {
	ripgrep.Need(t)
	root := fixture.Make(t, "a", "b.rs", "é.rs", ".h", "src/a", "src/b.rs", "src/x.ts", "src/sub/a", "src/sub/y.rs", "src/sub/deep/b.rs", "sub/src/b.rs",
		"[x]", "{a}", "a,b", "!a", "#a", `back\slash`, "a-b", "d]", "new\nline", " s", "-", "^", "**", "?")
	w, start := open(t, root, workspace.Options{})
	parts := strings.Split("a|b|.rs|.ts|src|sub|src/|sub/|/|/|*|*|**|**/|/**|***|?|[ab]|[!a]|[^s]|[a-c]|[a-|]|[]|]|[|{a,b}|{|}|,|{src,sub}|{a,{b,x}}|{,a}|{}|"+
		"{**/a,b}|{src/**,a}|\\|\\a|\\*|\\{|!|#|é|[é]|[/]|[+-9]|-| |.|..|~|x|deep|\n", "|")
	n := ripgrep.Cases(t, "GANDER_CASES", 120)
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 17))
		var b strings.Builder
		for range 1 + r.IntN(6) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		glob := b.String()
		globs := []string{glob}
		if r.IntN(4) == 0 {
			globs = append(globs, parts[r.IntN(20)]+parts[r.IntN(20)])
		}
		flags := []string{"--hidden", "--no-ignore", "--sort=path"}
		for _, g := range globs {
			flags = append(flags, "--glob="+g)
		}
		want, refused := filesOfRipgrep(t, root, flags)
		var got []string
		scope := search.Scope{Globs: globs, Hidden: true}
		var failed error
		for e, err := range search.Find(t.Context(), w, start, search.FindOptions{Scope: scope, Kinds: []workspace.EntryKind{workspace.Regular}}) {
			if failed = err; err == nil {
				got = append(got, e.Path())
			}
		}
		if (refused != "") != (failed != nil) {
			t.Errorf("seed %d, %q: got %v, and rg: %s", seed, globs, failed, refused)
		} else if !slices.Equal(got, want) {
			t.Errorf("seed %d, %q: got\n%q\nwant\n%q", seed, globs, got, want)
		}
	}
}
