package globset

import "testing"

// FuzzMatch: no glob makes the parser panic, and what is known of the endings of its paths does not change what it matches.
func FuzzMatch(f *testing.F) {
	for _, glob := range []string{"*.go", "!a/**", "{a,b}.{c,{d,}}", "/x/", `\!a?[!b-d]`, "**/a/**/b", "[]-]", "*{.a,}", "é*", "#a", " a "} {
		f.Add(glob, "a/b/x.go", false)
	}
	f.Fuzz(func(t *testing.T, glob, path string, isDir bool) {
		l, err := Compile([]string{glob})
		if err != nil {
			return
		}
		got := l.Match([]byte(path), isDir)
		for i := range l.globs {
			l.globs[i].endings = nil
		}
		if want := l.Match([]byte(path), isDir); got != want {
			t.Errorf("%q and %q: %v, not %v", glob, path, got, want)
		}
	})
}
