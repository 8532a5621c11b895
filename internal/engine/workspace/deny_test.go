//go:build unix

package workspace

import (
	"slices"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
)

// TestDeny has the roots w and v. What a pattern matches can be described, but neither opened nor entered.
func TestDeny(t *testing.T) {
	deniedFile := func(path string) look { return look{path, "!denied", "", "file", "file"} }
	deniedDir := func(path string) look { return look{path, "!denied", "", "dir", "dir"} }
	below := func(path string) look { return look{path, "!denied", "", "", ""} }
	free := func(path, content string) look { return look{path, content, "!not a directory", "file", "file"} }
	freeDir := func(path, where string) look { return look{path, "!a directory", where, "dir", "dir"} }
	tests := []struct {
		name    string
		deny    []string
		entries []string
		looks   []look
	}{
		{"a name anywhere", []string{"**/.ssh/**"}, []string{"w/.ssh/id", "w/a/b/.ssh/x/y", "w/.sshx/f", "w/a/x.ssh", "v/.ssh/id", "w/a/.ssh"}, []look{
			deniedDir(".ssh"), below(".ssh/"), below(".ssh/id"), below(".ssh/none"), below(".ssh/.."), below(".ssh/../a/x.ssh"), below("./.ssh//id"),
			below("a/../.ssh/id"), below("a/b/.ssh/x/y"), below("a/b/./.ssh/x/../x/y"), deniedDir("../v/.ssh"), below("{root}/v/.ssh/id"), deniedFile("a/.ssh"),
			free(".sshx/f", "w/.sshx/f"), free("a/x.ssh", "w/a/x.ssh"),
			{".SSH/id", "!missing", "", "", ""},
		}},
		{"names of files", []string{"**/id_rsa*", "**/*.pem", "**/{a,b}.key", "**/[xy]?"}, []string{
			"w/id_rsa", "w/d/id_rsa.pub", "w/d/my_id_rsa", "w/c.pem", "w/.pem", "w/pem", "w/d/a.key", "w/d/c.key", "w/x1", "w/z1", "w/\xff.pem", "w/\n.pem", "w/dir.pem/f",
		}, []look{
			deniedFile("id_rsa"), deniedFile("d/id_rsa.pub"), free("d/my_id_rsa", "w/d/my_id_rsa"), deniedFile("c.pem"), deniedFile(".pem"), free("pem", "w/pem"),
			deniedFile("d/a.key"), free("d/c.key", "w/d/c.key"), deniedFile("x1"), free("z1", "w/z1"), deniedFile("\xff.pem"), deniedFile("\n.pem"), deniedDir("dir.pem"), below("dir.pem/f"),
			{"id_rsa/", "!denied", "", "", ""},
			{"id_rsa/x", "!denied", "", "", ""},
			{"none.pem", "!missing", "", "", ""},
			{"pem/id_rsa", "!not a directory", "", "", ""},
		}},
		{"paths from a root", []string{"secret", "a/*/f", "deep/**", "./dotted", "slash/", "b//c"}, []string{
			"w/secret/f", "w/x/secret", "w/a/1/f", "w/a/1/g", "w/a/1/2/f", "w/deep/x/y", "w/dotted", "w/slash/f", "w/b/c", "w/x/b/c", "v/secret", "v/a/1/f",
		}, []look{
			deniedDir("secret"), below("secret/f"), free("x/secret", "w/x/secret"), freeDir("a/1", "0:a/1"), deniedFile("a/1/f"), free("a/1/g", "w/a/1/g"),
			free("a/1/2/f", "w/a/1/2/f"), deniedDir("deep"), below("deep/x/y"), deniedFile("dotted"), deniedDir("slash"), below("slash/f"), deniedFile("b/c"),
			free("x/b/c", "w/x/b/c"), deniedFile("{root}/v/secret"), deniedFile("../v/a/1/f"), deniedFile("a/1/2/../f"), deniedFile("{root}/w/./a//1/f"),
		}},
		{"absolute paths", []string{"{root}/w/a", "{root}/v/**", "{root}/*/b"}, []string{"w/a/f", "w/b", "w/c/a", "v/f", "w/c/b"}, []look{
			deniedDir("a"), below("a/f"), deniedFile("b"), free("c/a", "w/c/a"), free("c/b", "w/c/b"),
		}},
		{"links are judged by where they lead", []string{"**/secret*", "d/hidden"}, []string{
			"w/secret", "w/open", "w/d/hidden", "w/d/f", "w/alias => secret", "w/secretlink => open", "w/absalias => {root}/w/secret", "w/two => alias", "w/dirlink => d",
			"w/tod => d/hidden", "w/secretdir => d", "w/secretgone => none", "w/secretout => ../out", "out", "v/back => ../w/secret", "v/f",
		}, []look{
			{"alias", "!denied", "", "file", "link"},
			{"absalias", "!denied", "", "file", "link"},
			{"two", "!denied", "", "file", "link"},
			{"secretlink", "w/open", "!not a directory", "file", "link"},
			{"tod", "!denied", "", "file", "link"},
			deniedFile("dirlink/hidden"), free("dirlink/f", "w/d/f"),
			free("secretdir/f", "w/d/f"),
			{"secretdir", "!a directory", "0:d", "dir", "link"},
			{"secretgone", "!missing", "", "", "link"},
			{"secretout", "!outside", "", "", "link"},
			{"../v/back", "!denied", "", "file", "link"},
			{"alias/", "!denied", "", "", ""},
		}},
		{"what is beside the denied", []string{"**/x/**"}, []string{"w/x/f", "w/y/f", "w/y/up => ../x/../y/f", "w/y/x => ../y"}, []look{
			below("x/../y/f"), {"y/up", "!denied", "", "", "link"}, free("y/x/f", "w/y/f"),
		}},
		{"no pattern", nil, []string{"w/.ssh/id", "w/a.pem"}, []look{free(".ssh/id", "w/.ssh/id"), free("a.pem", "w/a.pem")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := fixture.Make(t, append(tt.entries, "w/", "v/")...)
			var o Options
			for _, p := range tt.deny {
				o.Deny = append(o.Deny, strings.ReplaceAll(p, "{root}", root))
			}
			dirs := []string{root + "/w", root + "/v"}
			if tt.name == "absolute paths" {
				dirs = dirs[:1] // v is denied whole
			}
			onEach(t, func(t *testing.T, b backend) { checkLooks(t, mustOpen(t, b, o, dirs...), root, tt.looks) })
		})
	}
}

// TestDenyNestedRoots checks that a pattern relative to the outer root applies in the inner root.
func TestDenyNestedRoots(t *testing.T) {
	root := fixture.Make(t, "w/in/secret/f", "w/in/f")
	onEach(t, func(t *testing.T, b backend) {
		for _, dirs := range [][]string{{"w", "w/in"}, {"w/in", "w"}} {
			w := mustOpen(t, b, Options{Deny: []string{"in/secret"}}, root+"/"+dirs[0], root+"/"+dirs[1])
			checkLooks(t, w, root, []look{
				{"{root}/w/in/secret/f", "!denied", "", "", ""},
				{"{root}/w/in/secret", "!denied", "", "dir", "dir"},
				{"{root}/w/in/f", "w/in/f", "!not a directory", "file", "file"},
			})
		}
	})
}

// TestDenyInDirectory checks that an open directory lists denied entries and opens none of them.
func TestDenyInDirectory(t *testing.T) {
	root := fixture.Make(t, "d/.ssh/id", "d/f.pem", "d/f", "d/x/y", "d/s.pem => f", "d/t => f.pem", "d/dir.pem => x")
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{Deny: []string{"**/.ssh/**", "**/*.pem", "d/x/y"}}, root)
		d := mustFind(t, w, "d")
		names, err := namesOf(d)
		if want := []string{".ssh/", "dir.pem@", "f", "f.pem", "s.pem@", "t@", "x/"}; err != nil || !slices.Equal(names, want) {
			t.Errorf("got %q, %v; want %q", names, err, want)
		}
		x, err := d.Open("x")
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		for _, tt := range []struct {
			dir        *Dir
			name, want string // what opening it as a directory or file says, whichever succeeds
		}{
			{d, ".ssh", "!denied !denied"},
			{d, "f.pem", "!denied !denied"},
			{d, "s.pem", "!denied !denied"},
			{d, "dir.pem", "!denied !denied"},
			{d, "t", "!not a directory !not regular"},
			{d, "f", "!not a directory f"},
			{d, "x", "x !a directory"},
			{x, "y", "!denied !denied"},
		} {
			got := []string{tt.name, tt.name}
			if sub, err := tt.dir.Open(tt.name); err != nil {
				got[0] = word(err)
			} else {
				_ = sub.Close()
			}
			if f, err := tt.dir.File(tt.name, Unknown); err != nil {
				got[1] = word(err)
			} else {
				_ = f.Close()
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
			}
			if _, err := tt.dir.Lstat(tt.name); err != nil {
				t.Errorf("Lstat of %s: %v", tt.name, err)
			}
		}
		if info, err := d.Stat("t"); err != nil || info.Kind != Regular {
			t.Errorf("Stat of a link to a denied file: %v, %v", info, err)
		}
		d.Release()
		if _, err := d.Open(".ssh"); word(err) != "!denied" {
			t.Errorf("after Release: %v", err)
		}
	})
}
