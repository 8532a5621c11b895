package workspace

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gander/internal/testkit/fixture"
)

// TestDeny has the roots w and v. A denied entry can be described, but not opened or entered.
func TestDeny(t *testing.T) {
	checkTrees(t, []tree{
		{
			name: "names",
			deny: `**/.ssh/**, **/id_rsa*, **/{a,b}.key, secret, *.bak, slash/`,
			entries: `
				w/.ssh/id, w/a/b/.ssh/x/y, w/.sshx/f, w/a/x.ssh, v/.ssh/id, w/a/.ssh, w/id_rsa,
				w/d/my_id_rsa, w/d/a.key, w/d/c.key, w/x/y/secret/f, w/x/secrets, w/x/a.bak, w/x/slash/f,
				w/dir.bak/f
			`,
			looks: `
				.ssh = !denied dir, .ssh/ = !denied, .ssh/id = !denied, .ssh/none = !denied,
				.ssh/.. = !denied, .ssh/../a/x.ssh = !denied, ./.ssh//id = !denied,
				a/../.ssh/id = !denied, a/b/./.ssh/x/../x/y = !denied, ../v/.ssh = !denied dir,
				{root}/v/.ssh/id = !denied, a/.ssh = !denied file, .sshx/f = w/.sshx/f,
				a/x.ssh = w/a/x.ssh, id_rsa = !denied file, id_rsa/x = !denied, d/my_id_rsa = w/d/my_id_rsa,
				d/a.key = !denied file, d/c.key = w/d/c.key, x/y/secret/f = !denied,
				x/secrets = w/x/secrets, x/a.bak = !denied file, dir.bak/f = !denied,
				x/slash = !denied dir, none.bak = !missing, x/secrets/id_rsa = !notdir
			`,
		},
		{
			name:    "names that other systems do not have",
			deny:    `**/*.pem`,
			entries: `"w/\xff.pem", "w/\n.pem"`,
			looks:   `"\xff.pem" = !denied file, "\n.pem" = !denied file`,
		},
		{
			name:    "paths from a root",
			deny:    `a/*/f, deep/**, ./dotted`,
			entries: `w/a/1/f, w/a/1/2/f, w/deep/x/y, w/x/deep/y, w/dotted, v/dotted`,
			looks: `
				a/1 = 0:a/1, a/1/f = !denied file, a/1/2/f = w/a/1/2/f, deep/x/y = !denied,
				x/deep/y = w/x/deep/y, {root}/v/dotted = !denied file, ../v/dotted = !denied file,
				a/1/2/../f = !denied file, {root}/w/./a//1/f = !denied file
			`,
		},
		{
			name:    "absolute paths",
			deny:    `{root}/w/a, {root}/*/b`,
			entries: `w/a/f, w/b, w/c/a, w/c/b`,
			looks:   `a = !denied dir, a/f = !denied, b = !denied file, c/a = w/c/a, c/b = w/c/b`,
		},
		{
			name: "the names of links",
			deny: `**/.ssh/**, **/id_rsa*, d/asked/f, {root}/w/up/g, d/in/*`,
			entries: `
				w/.ssh => dot/ssh, w/dot/ssh/key, w/id_rsa => dot/deploy, w/dot/deploy,
				w/chain => id_rsa, w/d/asked => ../e, w/e/f, w/e/g, w/e/h/f, w/d2 => d, w/up => e,
				w/two => d/asked, w/d/in => ../e/h, w/d/abs => {root}/w/e, w/loop => .ssh/../dot,
				w/e/back => ../d/asked, w/id_rsa2 => none, w/e/i/,
				w/d/over => ../e/i/../h/../../d/asked
			`,
			looks: `
				.ssh = !denied dir @, .ssh/ = !denied, .ssh/key = !denied, .ssh/none = !denied,
				.ssh/../e/f = !denied, dot/ssh/key = w/dot/ssh/key, id_rsa = !denied file @,
				chain = !denied file @, id_rsa2 = !denied !missing @, dot/deploy = w/dot/deploy,
				d/asked/f = !denied file, d/asked/g = w/e/g, d/asked/h/f = w/e/h/f, e/f = w/e/f,
				d2/asked/f = !denied file, two/f = !denied file, up/g = !denied file, up/f = w/e/f,
				up/../e/g = w/e/g, up/./g = !denied file, d/in/f = !denied file, d/abs/f = w/e/f,
				loop/deploy = !denied, e/back/f = !denied file, e/back/g = w/e/g,
				d/over/f = !denied file, d/over/g = w/e/g, d/asked/../e/f = w/e/f
			`,
		},
		{
			name: "the targets of links",
			deny: `**/secret*, d/hidden`,
			entries: `
				w/secret, w/open, w/d/hidden, w/d/f, w/alias => secret, w/secretlink => open,
				w/absalias => {root}/w/secret, w/two => alias, w/dirlink => d, w/tod => d/hidden,
				w/secretdir => d, w/secretgone => none, w/secretout => ../out, out,
				v/back => ../w/secret, v/f
			`,
			looks: `
				alias = !denied file @, absalias = !denied file @, two = !denied file @,
				secretlink = !denied file @, tod = !denied file @, dirlink/hidden = !denied file,
				dirlink/f = w/d/f, secretdir/f = !denied, secretdir = !denied dir @,
				secretgone = !denied !missing @, secretout = !denied !outside @,
				../v/back = !denied file @, alias/ = !denied
			`,
		},
		{
			name:    "entries next to a denied directory",
			deny:    `**/x/**`,
			entries: `w/x/f, w/y/f, w/y/up => ../x/../y/f, w/y/x => ../y`,
			looks:   `x/../y/f = !denied, y/up = !denied @, y/x/f = !denied`,
		},
		{
			name:    "a pattern of the outer root, the outer first",
			roots:   `w, w/in`,
			deny:    `in/secret`,
			entries: `w/in/secret/f, w/in/f`,
			looks:   `{root}/w/in/secret/f = !denied, in/secret = !denied dir, in/f = w/in/f`,
		},
		{
			name:    "a pattern of the outer root, the inner first",
			roots:   `w/in, w`,
			deny:    `in/secret`,
			entries: `w/in/secret/f, w/in/f`,
			looks:   `{root}/w/in/secret/f = !denied, secret = !denied dir, f = w/in/f`,
		},
		{
			name:    "no pattern",
			entries: `w/.ssh/id, w/a.pem`,
			looks:   `.ssh/id = w/.ssh/id, a.pem = w/a.pem`,
		},
	})
}

// TestDenyAbsolute checks absolute patterns, which may contain symlinks above the roots.
func TestDenyAbsolute(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symlinks in patterns of Windows are not resolved")
	}
	top := fixture.Make(
		t, "real/w/secret/f", "real/w/f", "real/[x]/secret", "alias => real", "other/f",
		"to-other => other",
	)
	for result, patterns := range map[string]string{
		"!denied": "/alias/w/secret /alias/w/secret/** /alias/w/s* /alias/*/secret /real/w/SECRET " +
			"/*/w/secret /{alias,real}/w/secret/**",
		"real/w/secret/f": "/other /to-other/** /w/secret /real/w2 /{other,none}/f",
	} {
		for pattern := range strings.FieldsSeq(patterns) {
			w := mustOpen(t, nativeBackend(), Options{Deny: []string{top + pattern}}, top+"/real/w")
			if got, other := readAt(w, "secret/f"), readAt(w, "f"); got != result || other != "real/w/f" {
				t.Errorf("%s: read %s and %s, want %s and real/w/f", pattern, got, other, result)
			}
		}
	}
	o := Options{Deny: []string{top + "/alias/[[]x]/secret"}}
	w := mustOpen(t, nativeBackend(), o, top+"/real/[x]")
	if got := readAt(w, "secret"); got != "!denied" {
		t.Errorf("a quoted name: %s", got)
	}
}

// TestDenyEverything checks that a pattern that denies a whole root is an error.
func TestDenyEverything(t *testing.T) {
	root := fixture.Make(t, "w/f")
	for _, pattern := range []string{
		"**", "*", "/**", "/*", "*/**", "**/*", "?*", "/", "w", "{x,**}", "~/../**",
	} {
		if w, err := Open(Options{Deny: []string{pattern}}, root+"/w"); err == nil {
			t.Errorf("%s is accepted", pattern)
			_ = w.Close()
		}
	}
}

// TestDenyManyLinks checks that a path through many symlinks has few aliases, and that patterns
// match each of them.
func TestDenyManyLinks(t *testing.T) {
	root := fixture.Make(t, "w/l => .", "w/f", "w/d/g")
	for denied, want := range map[string]string{
		"l/l/l/f": "!denied", "l/l/d/g": "w/f", "l/d/f": "w/f",
	} {
		onEach(t, func(t *testing.T, b backend) {
			w := mustOpen(t, b, Options{Deny: []string{denied}}, root+"/w")
			start := time.Now()
			if got := readAt(w, strings.Repeat("l/", maxLinks)+"f"); got != want {
				t.Errorf("%s is denied: %s", denied, got)
			}
			if took := time.Since(start); took > time.Minute {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestDenyInDirectory checks that an open directory lists denied entries but opens none.
func TestDenyInDirectory(t *testing.T) {
	root := fixture.Make(
		t, "d/.ssh/id", "d/f.pem", "d/f", "d/x/y", "d/s.pem => f", "d/t => f.pem", "d/dir.pem => x",
	)
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{Deny: []string{"**/.ssh/**", "**/*.pem", "d/x/y"}}, root)
		d := mustFind(t, w, "d")
		names, err := namesOf(d)
		if want := []string{".ssh/", "dir.pem@", "f", "f.pem", "s.pem@", "t@", "x/"}; err != nil ||
			!slices.Equal(names, want) {
			t.Errorf("got %q, %v; want %q", names, err, want)
		}
		x := Must(d.Open("x"))
		defer x.Close()
		for _, tt := range []struct {
			dir        *Dir
			name, want string // results of Open and File
		}{
			{d, ".ssh", "!denied !denied"},
			{d, "f.pem", "!denied !denied"},
			{d, "s.pem", "!denied !denied"},
			{d, "dir.pem", "!denied !denied"},
			{d, "t", "!notdir !notreg"},
			{d, "f", "!notdir !none"},
			{d, "x", "!none !isdir"},
			{x, "y", "!denied !denied"},
		} {
			dir, file := closed(tt.dir.Open(tt.name)), closed(tt.dir.File(tt.name, Unknown))
			if got := word(dir) + " " + word(file); got != tt.want {
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
