//go:build unix

package workspace

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
)

// TestResolve has the roots w and v, and a directory out next to them.
func TestResolve(t *testing.T) {
	missing := look{file: "!missing", lstat: "link"}
	outside := look{file: "!outside", lstat: "link"}
	at := func(path string, l look) look {
		l.path = path
		return l
	}
	tests := []struct {
		name    string
		entries []string
		looks   []look
	}{
		{"links that stay inside", []string{
			"w/a/f", "w/b/g", "w/file => a/f", "w/dir => a", "w/abs => {root}/w/a", "w/absfile => {root}/w/a/f", "w/a/up => ../b", "w/a/self => .", "w/slash => a/",
			"w/dots => ./a/.././/b/./g", "w/fileslash => a/f/", "w/dirdot => a/.", "w/again => file", "w/root => {root}/w",
		}, []look{
			{"file", "w/a/f", "!not a directory", "file", "link"},
			{"file/", "!not a directory", "", "", ""},
			{"file/.", "!not a directory", "", "", ""},
			{"dir", "!a directory", "0:a", "dir", "link"},
			{"dir/", "!a directory", "0:a", "dir", "dir"},
			{"dir/.", "!a directory", "0:a", "dir", "dir"},
			{"dir/f", "w/a/f", "!not a directory", "file", "file"},
			{"dir/f/", "!not a directory", "", "", ""},
			{"abs", "!a directory", "0:a", "dir", "link"},
			{"abs/f", "w/a/f", "!not a directory", "file", "file"},
			{"absfile", "w/a/f", "!not a directory", "file", "link"},
			{"a/up/g", "w/b/g", "!not a directory", "file", "file"},
			{"dir/up/g", "w/b/g", "!not a directory", "file", "file"},
			{"dir/up/../a/f", "w/a/f", "!not a directory", "file", "file"},
			{"a/self/self/self/f", "w/a/f", "!not a directory", "file", "file"},
			{"slash", "!a directory", "0:a", "dir", "link"},
			{"dots", "w/b/g", "!not a directory", "file", "link"},
			{"fileslash", "!not a directory", "", "", "link"},
			{"dirdot", "!a directory", "0:a", "dir", "link"},
			{"again", "w/a/f", "!not a directory", "file", "link"},
			{"root/root/root/a/f", "w/a/f", "!not a directory", "file", "file"},
			{"root", "!a directory", "0:.", "dir", "link"},
			{"file/x", "!not a directory", "", "", ""},
		}},
		{"links that lead outside", []string{
			"out/f", "out/d/g", "w/dir => ../out", "w/file => ../out/f", "w/abs => {root}/out", "w/absfile => {root}/out/f", "w/host => /etc/passwd",
			"w/fs => /", "w/gone => ../out/none", "w/absgone => {root}/out/none/x", "w/through => dir/d/g", "w/parent => ..", "w/up => {root}", "w/a/b/deep => ../../../out/f",
			"w/evil => {root}/w_evil/f", "w_evil/f",
		}, []look{
			at("file", outside), at("abs", outside), at("absfile", outside), at("host", outside), at("fs", outside), at("gone", outside),
			at("absgone", outside), at("through", outside), at("parent", outside), at("up", outside), at("a/b/deep", outside), at("evil", outside), at("dir", outside),
			{"dir/", "!outside", "", "", ""},
			{"dir/.", "!outside", "", "", ""},
			{"dir/..", "!outside", "", "", ""},
			{"dir/f", "!outside", "", "", ""},
			{"dir/none", "!outside", "", "", ""},
			{"dir/none/none", "!outside", "", "", ""},
			{"dir/d/../f", "!outside", "", "", ""},
			{"gone/x", "!outside", "", "", ""},
			{"gone/", "!outside", "", "", ""},
			{"host/", "!outside", "", "", ""},
			{"parent/out/f", "!outside", "", "", ""},
			{"parent/none", "!outside", "", "", ""},
			{"fs/etc/passwd", "!outside", "", "", ""},
		}},
		{"links that lead nowhere", []string{"w/gone => none", "w/deep => none/none", "w/abs => {root}/w/none", "w/chain => gone", "w/f", "w/under => f/x", "w/a/"}, []look{
			at("gone", missing), at("deep", missing), at("abs", missing), at("chain", missing),
			{"gone/", "!missing", "", "", ""},
			{"gone/x", "!missing", "", "", ""},
			{"under", "!not a directory", "", "", "link"},
			{"none/../f", "!missing", "", "", ""},
			{"none/../../out/f", "!missing", "", "", ""},
			{"a/../none", "!missing", "", "", ""},
		}},
		{"out of the root and back", []string{
			"w/f", "w/d/", "v/g", "out/h", "w/back => ../w/f", "w/other => ../v/g", "w/absother => {root}/v/g", "w/otherdir => ../v", "v/home => ../w", "w/long => {root}/out/../w/f",
			"w/lexical => ../none/../w/f",
		}, []look{
			{"..", "!outside", "", "", ""},
			{"../", "!outside", "", "", ""},
			{"../.", "!outside", "", "", ""},
			{"../..", "!outside", "", "", ""},
			{"../../../../../../../../../../etc/passwd", "!outside", "", "", ""},
			{"../out/h", "!outside", "", "", ""},
			{"../none", "!outside", "", "", ""},
			{"../w", "!a directory", "0:.", "dir", "dir"},
			{"../w/f", "w/f", "!not a directory", "file", "file"},
			{"../w/../v/g", "v/g", "!not a directory", "file", "file"},
			{"d/../../v/g", "v/g", "!not a directory", "file", "file"},
			{"{root}/w/../v/g", "v/g", "!not a directory", "file", "file"},
			{"{root}/w/d/../../v/home/f", "w/f", "!not a directory", "file", "file"},
			{"{root}/out/../w/f", "w/f", "!not a directory", "file", "file"},
			{"back", "w/f", "!not a directory", "file", "link"},
			{"other", "v/g", "!not a directory", "file", "link"},
			{"absother", "v/g", "!not a directory", "file", "link"},
			{"otherdir", "!a directory", "1:.", "dir", "link"},
			{"otherdir/home/otherdir/g", "v/g", "!not a directory", "file", "file"},
			{"otherdir/..", "!outside", "", "", ""},
			{"otherdir/../w/f", "w/f", "!not a directory", "file", "file"},
			{"long", "w/f", "!not a directory", "file", "link"},
			{"lexical", "w/f", "!not a directory", "file", "link"},
		}},
		{"dots after links are physical", []string{"w/x/y/z/f", "w/x/y/g", "w/g", "w/l => x/y/z", "w/abs => {root}/w/x/y/z"}, []look{
			{"l/../g", "w/x/y/g", "!not a directory", "file", "file"},
			{"abs/../g", "w/x/y/g", "!not a directory", "file", "file"},
			{"l/../../../g", "w/g", "!not a directory", "file", "file"},
			{"l/..", "!a directory", "0:x/y", "dir", "dir"},
			{"l/../..", "!a directory", "0:x", "dir", "dir"},
			{"l/../../../..", "!outside", "", "", ""},
			{"x/./y/.//z/../g", "w/x/y/g", "!not a directory", "file", "file"},
		}},
		{"chains", slices.Concat(linkChain("w/c", "f", 41), []string{"w/c/f", "w/c/ab => {root}/w/c/40", "w/dir/f"}, linkChain("w/d", "../dir", 41)), []look{
			{"c/1", "w/c/f", "!not a directory", "file", "link"},
			{"c/40", "w/c/f", "!not a directory", "file", "link"},
			{"c/41", "!loop", "", "", "link"},
			{"c/ab", "!loop", "", "", "link"},
			{"d/40/f", "w/dir/f", "!not a directory", "file", "file"},
			{"d/40/", "!a directory", "0:dir", "dir", "dir"},
			{"d/41/f", "!loop", "", "", ""},
			{"d/20/../d/20/f", "w/dir/f", "!not a directory", "file", "file"},
			{"d/20/../d/21/f", "!loop", "", "", ""},
		}},
		{"loops", []string{"w/self => self", "w/a => b", "w/b => a", "w/d/up => ../d/up/x", "w/abs => {root}/w/abs", "w/grow => grow/grow", "w/v => ../v/w", "v/w => ../w/v"}, []look{
			{"self", "!loop", "", "", "link"},
			{"self/", "!loop", "", "", ""},
			{"a", "!loop", "", "", "link"},
			{"a/x", "!loop", "", "", ""},
			{"d/up", "!loop", "", "", "link"},
			{"abs", "!loop", "", "", "link"},
			{"grow", "!loop", "", "", "link"},
			{"v", "!loop", "", "", "link"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := fixture.Make(t, append(tt.entries, "w/", "v/")...)
			onEach(t, func(t *testing.T, b backend) {
				checkLooks(t, mustOpen(t, b, Options{}, root+"/w", root+"/v"), root, tt.looks)
			})
		})
	}
}

// TestSpecial checks that nothing but regular files and directories is opened. Opening a FIFO would
// block until the test times out.
func TestSpecial(t *testing.T) {
	root := fixture.Make(t, "p|", "s=", "d/", "top => p", "tos => s", "d/up => ../p")
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{}, root)
		var looks []look
		for _, name := range []string{"p", "s", "top", "tos", "d/up"} {
			lstat := "other"
			if len(name) > 1 {
				lstat = "link"
			}
			looks = append(looks,
				look{name, "!not regular", "!not a directory", "other", lstat},
				look{name + "/", "!not a directory", "", "", ""},
				look{name + "/.", "!not a directory", "", "", ""},
				look{name + "/..", "!not a directory", "", "", ""},
				look{name + "/x", "!not a directory", "", "", ""},
			)
		}
		checkLooks(t, w, root, looks)
		d := mustFind(t, w, "")
		for name, want := range map[string]string{"p": "!not regular", "s": "!not regular", "top": "!not regular", "d": "!a directory"} {
			for _, kind := range []EntryKind{Unknown, Other, Regular} { // Regular: it was a file when it was listed
				f, err := d.File(name, kind)
				if name == "s" && kind == Regular && err != nil { // sockets cannot be opened at all, and systems differ in how they say so
					continue
				}
				if err == nil || word(err) != want {
					t.Errorf("Dir.File of %s, listed as %d: got %v, %v; want %s", name, kind, f, err, want)
				}
			}
		}
		for _, name := range []string{"p", "s", "top"} {
			if sub, err := d.Open(name); err == nil || word(err) != "!not a directory" {
				t.Errorf("Dir.Open of %s: got %v, %v", name, sub, err)
			}
		}
	})
}

func TestDevices(t *testing.T) {
	onEach(t, func(t *testing.T, b backend) {
		checkLooks(t, mustOpen(t, b, Options{}, "/dev"), "", []look{
			{"null", "!not regular", "!not a directory", "other", "other"},
			{"zero", "!not regular", "!not a directory", "other", "other"},
			{"tty", "!not regular", "!not a directory", "other", "other"},
			{"null/x", "!not a directory", "", "", ""},
		})
	})
}

// TestLongPaths checks that the cost of a path through a hostile tree is bounded, and that other
// paths are far from the bound.
func TestLongPaths(t *testing.T) {
	deep := strings.Repeat("d/", 150)
	entries := []string{"w/" + deep, "w/f", "w/there => " + deep, "w/down => " + deep + "../f", "w/0 => f"}
	for i := 1; i < 40; i++ {
		entries = append(entries, fmt.Sprintf("w/%d => %s%s%s%d", i, deep, strings.Repeat("../d/", 100), strings.Repeat("../", 150), i-1))
	}
	root := fixture.Make(t, entries...)
	at := func(depth int) string { return "0:" + strings.TrimSuffix(deep[:2*depth], "/") }
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{}, root+"/w")
		if _, err := lookFile(w, "39"); word(err) != "!too long" {
			t.Errorf("a long way: %v", err)
		}
		checkLooks(t, w, root, []look{
			{deep, "!a directory", at(150), "dir", "dir"},
			{deep + strings.Repeat("../", 100), "!a directory", at(50), "dir", "dir"},
			{deep + strings.Repeat("../", 150) + "f", "w/f", "!not a directory", "file", "file"},
			{deep + strings.Repeat("../", 151), "!outside", "", "", ""},
			{"there/../d/../..", "!a directory", at(148), "dir", "dir"},
			{"there/../d/../d/../d/../d/../d/../d/../d/../d", "!a directory", at(150), "dir", "dir"},
			{"down", "!missing", "", "", "link"},
			{"0", "w/f", "!not a directory", "file", "link"},
		})
	})
}
