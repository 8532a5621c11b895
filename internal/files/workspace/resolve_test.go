package workspace

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
)

// TestResolve has the roots w and v, and a directory out next to them.
func TestResolve(t *testing.T) {
	checkTrees(t, []tree{
		{
			name: "links that stay inside",
			entries: `
				w/a/f, w/b/g, w/g, w/file => a/f, w/abs => {root}/w/a, w/a/up => ../b, w/slash => a/,
				w/dots => ./a/.././/b/./g, w/fileslash => a/f/, w/again => file, w/root => {root}/w,
				w/gone => none, w/self => self, w/v => ../v/w, v/w => ../w/v
			`,
			looks: `
				file = w/a/f @, file/ = !notdir, file/x = !notdir, abs = 0:a @, abs/f = w/a/f,
				abs/f/ = !notdir, a/up/g = w/b/g, abs/up/../a/f = w/a/f, a/up/../g = w/g,
				slash = 0:a @, dots = w/b/g @, fileslash = !notdir @, again = w/a/f @,
				root/root/a/f = w/a/f, gone = !missing @, gone/x = !missing, self/ = !loop, v = !loop @
			`,
		},
		{
			name: "links that lead outside",
			entries: `
				out/f, out/d/g, w/dir => ../out, w/file => ../out/f, w/abs => {root}/out,
				w/gone => ../out/none, w/through => dir/d/g, w/parent => .., w/evil => {root}/w_evil/f,
				w_evil/f
			`,
			looks: `
				file = !outside @, abs = !outside @, gone = !outside @, through = !outside @,
				parent = !outside @, evil = !outside @, dir/ = !outside, dir/.. = !outside,
				dir/f = !outside, dir/none/none = !outside, gone/x = !outside, parent/out/f = !outside
			`,
		},
		{
			name: "out of the root and back",
			entries: `
				w/f, w/d/, v/g, out/h, w/back => ../w/f, w/other => ../v/g,
				w/absother => {root}/v/g, w/otherdir => ../v, v/home => ../w,
				w/long => {root}/out/../w/f, w/lexical => ../none/../w/f
			`,
			looks: `
				.. = !outside, ../ = !outside, ../.. = !outside, none/../../out/h = !missing,
				../../../../../../../../../../etc/passwd = !outside, ../out/h = !outside,
				../none = !outside, ../w = 0:., ../w/f = w/f, ../w/../v/g = v/g, d/../../v/g = v/g,
				{root}/w/../v/g = v/g, {root}/w/d/../../v/home/f = w/f, {root}/out/../w/f = w/f,
				back = w/f @, other = v/g @, absother = v/g @, otherdir = 1:. @,
				otherdir/home/otherdir/g = v/g, otherdir/.. = !outside, otherdir/../w/f = w/f,
				long = w/f @, lexical = w/f @
			`,
		},
		{
			name:    "chains",
			entries: `w/c/f, w/c/ab => {root}/w/c/40, w/dir/f`,
			more:    slices.Concat(linkChain("w/c", "f", 41), linkChain("w/d", "../dir", 41)),
			looks: `
				c/1 = w/c/f @, c/40 = w/c/f @, c/41 = !loop @, c/ab = !loop @, d/40/f = w/dir/f,
				d/40/ = 0:dir, d/41/f = !loop, d/20/../d/20/f = w/dir/f, d/20/../d/21/f = !loop
			`,
		},
	})
}

// TestSpecial checks that only regular files and directories are opened. Opening a FIFO would
// block.
func TestSpecial(t *testing.T) {
	root := fixture.Make(t, "p|", "s=", "d/", "top => p", "tos => s", "d/up => ../p")
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{}, root)
		for _, name := range []string{"p", "s", "top @", "tos @", "d/up @"} {
			name, link := strings.CutSuffix(name, " @")
			looks := "{p} = !notreg|!notdir other, {p}/ = !notdir, {p}/. = !notdir, " +
				"{p}/.. = !notdir, {p}/x = !notdir"
			if link {
				looks = strings.Replace(looks, "other", "other @", 1)
			}
			checkLooks(t, w, root, strings.ReplaceAll(looks, "{p}", name))
		}
		d := mustFind(t, w, "")
		for name, want := range map[string]string{
			"p": "!notreg", "s": "!notreg", "top": "!notreg", "d": "!isdir",
		} {
			// The kind is Regular if the entry was replaced after it was listed.
			for _, kind := range []EntryKind{Unknown, Other, Regular} {
				f, err := d.File(name, kind)
				// The error for opening a socket depends on the system.
				if name == "s" && kind == Regular && err != nil {
					continue
				}
				if err == nil || word(err) != want {
					t.Errorf("Dir.File of %s, listed as %d: got %v, %v; want %s", name, kind, f, err, want)
				}
			}
		}
		for _, name := range []string{"p", "s", "top"} {
			if sub, err := d.Open(name); err == nil || word(err) != "!notdir" {
				t.Errorf("Dir.Open of %s: got %v, %v", name, sub, err)
			}
		}
	})
}

func TestDevices(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("devices are in no directory")
	}
	onEach(t, func(t *testing.T, b backend) {
		checkLooks(t, mustOpen(t, b, Options{}, "/dev"), "", `
			null = !notreg|!notdir other, zero = !notreg|!notdir other,
			tty = !notreg|!notdir other, null/x = !notdir
		`)
	})
}

// TestLongPaths checks that the cost of a path through a hostile tree is bounded, and that other
// paths are far from the bound.
func TestLongPaths(t *testing.T) {
	deep := strings.Repeat("d/", 150)
	entries := []string{
		"w/" + deep, "w/f", "w/there => " + deep, "w/down => " + deep + "../f", "w/0 => f",
	}
	for i := 1; i < 40; i++ {
		entries = append(
			entries,
			fmt.Sprintf(
				"w/%d => %s%s%s%d", i, deep, strings.Repeat("../d/", 100), strings.Repeat("../", 150), i-1,
			),
		)
	}
	root := fixture.Make(t, entries...)
	at := func(depth int) string { return "0:" + strings.TrimSuffix(deep[:2*depth], "/") }
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{}, root+"/w")
		if _, err := lookFile(w, "39"); word(err) != "!toolong" {
			t.Errorf("a long way: %v", err)
		}
		checkLooks(t, w, root, strings.NewReplacer(
			"{deep}", deep, "{up}", strings.Repeat("../", 50), "{over}", strings.Repeat("../d/", 8),
		).Replace(`
			{deep} = `+at(150)+`, {deep}{up}{up} = `+at(50)+`, {deep}{up}{up}{up}f = w/f,
			{deep}{up}{up}{up}../ = !outside, there/../d/../.. = `+at(148)+`,
			there/{over} = `+at(150)+`, down = !missing @, 0 = w/f @
		`))
	})
}
