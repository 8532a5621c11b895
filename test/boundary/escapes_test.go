package boundary

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// An escape is a row of testdata/escapes.txt.
type escape struct {
	entries, deny, paths []string
	kind                 tool.Kind
}

func parseEscape(t *testing.T, text string) escape {
	t.Helper()
	e := escape{kind: tool.Outside}
	for line := range strings.SplitSeq(text, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "entry":
			e.entries = append(e.entries, value)
		case "deny":
			e.deny = append(e.deny, value)
		case "path":
			e.paths = append(e.paths, value)
		case "kind":
			e.kind = tool.Kind(value)
		default:
			t.Fatalf("unknown line %q", line)
		}
	}
	return e
}

// TestBoundaryEscapes tries the published attacks on confinement and on deny patterns, each with
// every layout of roots.
func TestBoundaryEscapes(t *testing.T) {
	for name, text := range tooltest.Rows(t, "escapes.txt") {
		t.Run(name, func(t *testing.T) {
			if name == "another case" && runtime.GOOS != "linux" {
				t.Skip("names in another case are equal")
			}
			e := parseEscape(t, text)
			top := makeTop(t, e.entries)
			layouts := layouts
			if testing.Short() {
				layouts = layouts[len(layouts)-3:] // through a symlink, narrowed to, renamed
			}
			for _, l := range layouts {
				t.Run(l.name, func(t *testing.T) { e.try(t, l, top) })
				if len(e.deny) > 0 && !l.rename { // which only the first try can do
					e := e
					e.deny = append(slices.Clip(e.deny), uselessExceptions...)
					t.Run(l.name+", exceptions", func(t *testing.T) { e.try(t, l, top) })
				}
			}
		})
	}
}

// uselessExceptions open nothing that is attacked: what is in a denied directory stays closed, as
// do the targets of links and names in another case.
var uselessExceptions = []string{
	"!open/**", "!**/SECRET", "!**/alias*", "!**/deep/**", "!**/KEY.TXT",
}

// try uses every path, absolute and relative to the first root, with every tool and method. It must
// be refused, reveal nothing, and have the same outcome for all outsiders. Using the root must not
// reveal anything outside either.
func (e escape) try(t *testing.T, l layout, top string) {
	var deny []string
	for _, pattern := range e.deny {
		deny = append(deny, strings.ReplaceAll(pattern, "{top}", top))
	}
	toolset := l.open(t, top, deny...)
	first := strings.TrimSuffix(top+"/"+l.roots[0], "/")
	for _, id := range append(tools(), "filesystem/read_multiple_files", "Sub", "Why") {
		for _, spelling := range l.spellings {
			for _, path := range e.paths {
				path = strings.NewReplacer("{w}", top+"/"+spelling, "{top}", top).Replace(path)
				e.tryPath(t, toolset, id, path, top)
				if !isLexical(id) || len(l.roots) == 1 { // relative to v, the path stays inside
					e.tryPath(t, toolset, id, relativeTo(first, path), top)
				}
			}
			if o := use(t, toolset, id, top+"/"+spelling); leak(o.text, top) != "" {
				t.Errorf("%s of the root reveals %s: %s", id, leak(o.text, top), o.text)
			}
		}
	}
}

func (e escape) tryPath(t *testing.T, toolset *gander.Toolset, id, path, top string) {
	t.Helper()
	outcomes := map[string]string{}
	names := outsiders()
	if !strings.Contains(path, "{x}") {
		names = names[:1]
	}
	for _, x := range names {
		p := strings.ReplaceAll(path, "{x}", x)
		if p == "" {
			continue
		}
		o := use(t, toolset, id, p)
		if !o.refused || !e.allows(id, o.kind, !strings.HasPrefix(p, "/")) {
			t.Errorf("%s of %s: %.300s", id, p, o.text)
		}
		if trace := leak(o.text, p, top); trace != "" {
			t.Errorf("%s of %s reveals %s: %.300s", id, p, trace, o.text)
		}
		outcomes[strings.ReplaceAll(o.text, x, "X")] += " " + x
	}
	if len(outcomes) > 1 {
		t.Errorf("%s of %s reveals what is outside: %v", id, path, outcomes)
	}
}

// allows reports whether a tool may return this kind of error, or none for a description. Codex and
// Gemini reject relative paths, and tree every symlink. For a denied path, most tools first refuse
// a file, a link or "..".
func (e escape) allows(id string, got tool.Kind, relative bool) bool {
	codex := strings.HasPrefix(id, "codex/")
	switch {
	case got == "", got == e.kind, got == tool.Outside:
		return true
	case got == tool.BadArguments:
		return relative && (codex || strings.HasPrefix(id, "gemini/"))
	case e.kind == tool.Denied:
		return !codex && got != tool.Internal && got != tool.Timeout
	default:
		return id == "toolkit/tree" && got == tool.NotDirectory
	}
}

// relativeTo returns p relative to dir without resolving it, or "" if that is not possible.
func relativeTo(dir, p string) string {
	if rest, ok := strings.CutPrefix(p, dir+"/"); ok && rest != "" && rest[0] != '/' {
		return rest
	}
	rest, ok := strings.CutPrefix(p, path.Dir(dir)+"/")
	if !ok {
		return ""
	}
	return "../" + rest
}

// TestBoundaryDeny checks that the default patterns keep secrets from being read, including under
// the name of a link, that the error contains the pattern, that other files can be read, and that
// listings contain denied entries by name. [TestBoundaryEscapes] tries to get around patterns.
func TestBoundaryDeny(t *testing.T) {
	root := fixture.Make(t,
		"w/id_ed25519", "w/a/.aws/credentials", "w/.ENV.Production", "w/a/.env.sample", "w/env",
		"w/.env", "w/.env.example => .env", "w/.ssh => dotfiles/ssh", "w/dotfiles/ssh/known_hosts",
		"w/id_rsa => dotfiles/deploy", "w/dotfiles/deploy",
	)
	toolset := testkit.Open(t, gander.Options{Roots: []string{root + "/w"}})
	open := testkit.Open(t, gander.Options{Roots: []string{root + "/w"}, NoDefaultDeny: true})
	for path, pattern := range map[string]string{
		"id_ed25519": "**/id_ed25519*", "a/.aws/credentials": "**/.aws/**",
		".ENV.Production": "**/.env.*", ".env": "**/.env", ".env.example": "**/.env",
		".ssh/known_hosts": "**/.ssh/**", "id_rsa": "**/id_rsa*",
		"a/.env.sample": "", "env": "", "dotfiles/ssh/known_hosts": "", "dotfiles/deploy": "",
	} {
		for id, p := range testkit.PathTools() {
			if !p.Reads {
				continue
			}
			o := use(t, toolset, id, root+"/w/"+path)
			if o.refused != (pattern != "") || id == "codex/read_file" &&
				!strings.Contains(o.text, "failed to read file: denied by pattern "+pattern+" |") &&
				pattern != "" {
				t.Errorf("%s of %s: %s; want %q", id, path, o.text, pattern)
			}
			if o := use(t, open, id, root+"/w/"+path); o.refused {
				t.Errorf("%s of %s, without the default patterns: %s", id, path, o.text)
			}
		}
	}
	for id, p := range testkit.PathTools() {
		o := use(t, toolset, id, root+"/w")
		reads := p.Reads || id == "codex/grep_files" || id == "gander/search_text" ||
			id == "gander/find_files" || id == "filesystem/get_file_info"
		if !reads && !strings.Contains(o.text, "id_ed25519") {
			t.Errorf("%s of the root: %s", id, o.text)
		}
	}
}

// TestBoundaryListings checks that a listing with links outside does not depend on whether their
// targets exist.
func TestBoundaryListings(t *testing.T) {
	modified := regexp.MustCompile(
		`"modified_epoch_ms":\d+|(created|modified|accessed): [^|\n]*|\d{4}-\d\d-\d\d \d\d:[:0-9]+`,
	)
	var tops [2]string
	var sets [2]*gander.Toolset
	for i := range sets {
		tops[i] = makeTop(t, []string{
			"w/to-{x} => ../out/{x}", "w/d/abs-{x} => {top}/out/{x}", "w/d/{x}-parent => ../../out",
			"w/.gitignore => ../out/x-file", "w/.git/info/exclude => {top}/out/x-file",
		})
		sets[i] = layouts[0].open(t, tops[i])
	}
	_ = os.Chmod(tops[1]+"/out/x-shut", 0o700) // which only Unix has
	testkit.Must(t, os.RemoveAll(tops[1]+"/out"))
	for _, id := range tools() {
		var output [2]string
		for i, top := range tops {
			text := strings.ReplaceAll(use(t, sets[i], id, top+"/w").text, top, "TOP")
			output[i] = modified.ReplaceAllString(text, "TIME")
			if trace := leak(output[i]); trace != "" {
				t.Errorf("%s reveals %s: %s", id, trace, output[i])
			}
		}
		if output[0] != output[1] {
			t.Errorf("%s reveals what is outside:\n%s\n%s", id, output[0], output[1])
		}
	}
}

// TestOutsideErrorsEqual checks that a tool returns the same error for all absolute paths outside,
// existing or not.
func TestOutsideErrorsEqual(t *testing.T) {
	outside := fixture.Make(t, "there/x", "file")
	root := fixture.Make(t, "in/")
	volume := filepath.VolumeName(root)
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}})
	for _, id := range tools() {
		var errors []string
		for _, path := range []string{
			outside, outside + "/there", outside + "/file", outside + "/file/x", outside + "/none",
			root + "x", filepath.Dir(root), volume + "/no/such", volume + "/proc/self/root",
		} {
			path = filepath.FromSlash(path)
			o := use(t, toolset, id, path)
			if !o.refused {
				t.Errorf("%s of %s succeeds", id, path)
			}
			// Some errors repeat the path and the root.
			text := strings.ReplaceAll(strings.ReplaceAll(o.text, root+" ", "ROOT "), path, "PATH")
			errors = append(errors, text)
		}
		if slices.Sort(errors); errors[0] != errors[len(errors)-1] {
			t.Errorf("%s reveals what is outside: %q", id, slices.Compact(errors))
		}
	}
}
