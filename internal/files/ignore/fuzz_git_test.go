package ignore_test

import (
	"strings"
	"testing"
)

// FuzzAsGit compares two ignore files with git, one in the root and one in a/. The paths are those
// of an ordinary tree and one more name.
func FuzzAsGit(f *testing.F) {
	f.Add([]byte("*.o\r\n!a/**/b\n[[:alpha:]-z]/\n\\#x \\ \n/a/*[!]\n"), []byte("!*"), "b.o")
	f.Add([]byte("\uFEFFfoo\n**/\x00\n[a-\n\\"), []byte("foo/**"), "\xff")
	f.Add([]byte("a/\n!a/b\n"), []byte("[\\]]\n/**/in\n"), "]")
	f.Add([]byte("/*/\n!/foo"), []byte("b/**/\n!b/a"), "{a,b}")
	w := newWorktree(f)
	paths := everyPath()
	write(f, w.dir, empty(paths))
	f.Fuzz(func(t *testing.T, root, below []byte, name string) {
		switch {
		case len(root)+len(below) > 2000 || len(name) > 200 || strings.ContainsAny(name, "/\x00"):
			t.Skip("too long, or not a name")
		case name == "" || name == "." || name == ".." || strings.EqualFold(name, ".git"):
			t.Skip("a name of git's own")
		}
		files := []ignoreFile{{".gitignore", "", string(root)}, {"a/.gitignore", "a", string(below)}}
		w.compare(t, files, append(paths, "a/"+name))
	})
}
