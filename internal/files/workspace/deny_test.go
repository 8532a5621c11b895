//go:build unix

package workspace

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gander/internal/testkit/fixture"
)

// TestDeny has the roots w and v. What a pattern matches can be described, but neither opened nor
// entered.
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
		{"without a slash at any depth", []string{"secret", "*.bak", "slash/", "{one,two}"}, []string{
			"w/secret/f", "w/x/secret", "w/x/y/secret/f", "w/x/secrets", "w/a.bak", "w/x/a.bak", "w/x/slash/f", "w/x/one", "w/two/f", "v/x/secret",
		}, []look{
			deniedDir("secret"), below("secret/f"), deniedFile("x/secret"), deniedDir("x/y/secret"), below("x/y/secret/f"), free("x/secrets", "w/x/secrets"),
			deniedFile("a.bak"), deniedFile("x/a.bak"), deniedDir("x/slash"), below("x/slash/f"), deniedFile("x/one"), below("two/f"), deniedFile("../v/x/secret"),
		}},
		{"paths from a root", []string{"a/*/f", "deep/**", "./dotted", "b//c"}, []string{
			"w/a/1/f", "w/a/1/g", "w/a/1/2/f", "w/deep/x/y", "w/x/deep/y", "w/dotted", "w/x/dotted", "w/b/c", "w/x/b/c", "v/dotted", "v/a/1/f",
		}, []look{
			freeDir("a/1", "0:a/1"), deniedFile("a/1/f"), free("a/1/g", "w/a/1/g"), free("a/1/2/f", "w/a/1/2/f"), deniedDir("deep"), below("deep/x/y"),
			free("x/deep/y", "w/x/deep/y"), deniedFile("dotted"), free("x/dotted", "w/x/dotted"), deniedFile("b/c"), free("x/b/c", "w/x/b/c"),
			deniedFile("{root}/v/dotted"), deniedFile("../v/a/1/f"), deniedFile("a/1/2/../f"), deniedFile("{root}/w/./a//1/f"),
		}},
		{"absolute paths", []string{"{root}/w/a", "{root}/*/b"}, []string{"w/a/f", "w/b", "w/c/a", "w/c/b"}, []look{
			deniedDir("a"), below("a/f"), deniedFile("b"), free("c/a", "w/c/a"), free("c/b", "w/c/b"),
		}},
		{"links are judged by their names too", []string{"**/.ssh/**", "**/id_rsa*", "d/asked/f", "{root}/w/up/g", "d/in/*"}, []string{
			"w/.ssh => dot/ssh", "w/dot/ssh/key", "w/id_rsa => dot/deploy", "w/dot/deploy", "w/chain => id_rsa", "w/d/asked => ../e", "w/e/f", "w/e/g", "w/e/h/f",
			"w/d2 => d", "w/up => e", "w/two => d/asked", "w/d/in => ../e/h", "w/d/abs => {root}/w/e", "w/loop => .ssh/../dot", "w/e/back => ../d/asked", "w/id_rsa2 => none",
			"w/e/i/", "w/d/over => ../e/i/../h/../../d/asked",
		}, []look{
			{".ssh", "!denied", "", "dir", "link"},
			below(".ssh/"), below(".ssh/key"), below(".ssh/none"), below(".ssh/../e/f"), free("dot/ssh/key", "w/dot/ssh/key"),
			{"id_rsa", "!denied", "", "file", "link"},
			{"chain", "!denied", "", "file", "link"},
			{"id_rsa2", "!denied", "", "!missing", "link"},
			free("dot/deploy", "w/dot/deploy"),
			deniedFile("d/asked/f"), free("d/asked/g", "w/e/g"), free("d/asked/h/f", "w/e/h/f"), free("e/f", "w/e/f"), deniedFile("d2/asked/f"), deniedFile("two/f"),
			deniedFile("up/g"), free("up/f", "w/e/f"), free("up/../e/g", "w/e/g"), deniedFile("up/./g"), deniedFile("d/in/f"), free("d/abs/f", "w/e/f"), below("loop/deploy"),
			deniedFile("e/back/f"), free("e/back/g", "w/e/g"), deniedFile("d/over/f"), free("d/over/g", "w/e/g"), free("d/asked/../e/f", "w/e/f"),
		}},
		{"links are judged by where they lead", []string{"**/secret*", "d/hidden"}, []string{
			"w/secret", "w/open", "w/d/hidden", "w/d/f", "w/alias => secret", "w/secretlink => open", "w/absalias => {root}/w/secret", "w/two => alias", "w/dirlink => d",
			"w/tod => d/hidden", "w/secretdir => d", "w/secretgone => none", "w/secretout => ../out", "out", "v/back => ../w/secret", "v/f",
		}, []look{
			{"alias", "!denied", "", "file", "link"},
			{"absalias", "!denied", "", "file", "link"},
			{"two", "!denied", "", "file", "link"},
			{"secretlink", "!denied", "", "file", "link"},
			{"tod", "!denied", "", "file", "link"},
			deniedFile("dirlink/hidden"), free("dirlink/f", "w/d/f"),
			below("secretdir/f"),
			{"secretdir", "!denied", "", "dir", "link"},
			{"secretgone", "!denied", "", "!missing", "link"},
			{"secretout", "!denied", "", "!outside", "link"},
			{"../v/back", "!denied", "", "file", "link"},
			{"alias/", "!denied", "", "", ""},
		}},
		{"what is beside the denied", []string{"**/x/**"}, []string{"w/x/f", "w/y/f", "w/y/up => ../x/../y/f", "w/y/x => ../y"}, []look{
			below("x/../y/f"), {"y/up", "!denied", "", "", "link"}, below("y/x/f"),
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
			onEach(t, func(t *testing.T, b backend) { checkLooks(t, mustOpen(t, b, o, dirs...), root, tt.looks) })
		})
	}
}

// TestDenyAbsolute checks that an absolute pattern may spell a path through a symlink above the
// roots, and does nothing elsewhere.
func TestDenyAbsolute(t *testing.T) {
	top := fixture.Make(t, "real/w/secret/f", "real/w/f", "real/[x]/secret", "alias => real", "other/f", "to-other => other")
	for pattern, want := range map[string]string{
		"/alias/w/secret": "!denied", "/alias/w/secret/**": "!denied", "/alias/w/s*": "!denied", "/alias/*/secret": "!denied",
		"/real/w/SECRET": "!denied", "/*/w/secret": "!denied", "/{alias,real}/w/secret/**": "!denied", "/other": "real/w/secret/f",
		"/to-other/**": "real/w/secret/f", "/w/secret": "real/w/secret/f", "/real/w2": "real/w/secret/f", "/ALIAS/../real/w/secret": "!refused",
		"/{other,none}/f": "real/w/secret/f",
	} {
		w, err := Open(Options{Deny: []string{top + pattern}}, top+"/real/w")
		if (err != nil) != (want == "!refused") {
			t.Errorf("%s: %v", pattern, err)
		}
		if err != nil {
			continue
		}
		if got := readAt(w, "secret/f"); got != want {
			t.Errorf("%s: the file: %s, want %s", pattern, got, want)
		}
		if got := readAt(w, "f"); got != "real/w/f" {
			t.Errorf("%s: another file: %s", pattern, got)
		}
		_ = w.Close()
	}
	w, err := Open(Options{Deny: []string{top + "/alias/[[]x]/secret"}}, top+"/real/[x]")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if got := readAt(w, "secret"); got != "!denied" {
		t.Errorf("a quoted name: %s", got)
	}
}

// TestDenyEverything checks that a pattern which denies all entries of a root is reported.
func TestDenyEverything(t *testing.T) {
	root := fixture.Make(t, "w/f")
	for _, pattern := range []string{"**", "*", "/**", "/*", "*/**", "**/*", "?*", "/", "w", "{x,**}", "~/../**"} {
		if w, err := Open(Options{Deny: []string{pattern}}, root+"/w"); err == nil {
			t.Errorf("%s is accepted", pattern)
			_ = w.Close()
		}
	}
}

// TestDenyManyLinks checks that the names by which many symlinks are reached are few, and that a
// pattern judges each of them.
func TestDenyManyLinks(t *testing.T) {
	root := fixture.Make(t, "w/l => .", "w/f", "w/d/g")
	for denied, want := range map[string]string{"l/l/l/f": "!denied", "l/l/d/g": "w/f", "l/d/f": "w/f"} {
		onEach(t, func(t *testing.T, b backend) {
			w := mustOpen(t, b, Options{Deny: []string{denied}}, root+"/w")
			start := time.Now()
			if got := readAt(w, strings.Repeat("l/", maxLinks)+"f"); got != want {
				t.Errorf("%s is denied: %s", denied, got)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
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
