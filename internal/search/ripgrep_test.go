//go:build linux

package search_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"gander/internal/files/ignore"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/ripgrep"
)

// A randomTree is a directory to search and the options of the search.
type randomTree struct {
	root  string
	scope search.Scope
	flags []string // of rg, for the same scope
	// binary specifies that files contain NULs. Such trees have no long lines and no other
	// encodings, and the options have no context, because the size of the buffer that rg searches
	// before a NUL depends on all of these.
	binary bool
}

// newRandomTree makes a tree with ignore files, links, FIFOs and odd names.
func newRandomTree(t *testing.T, r *rand.Rand) randomTree {
	t.Helper()
	entries := slices.DeleteFunc(fixture.Random(r, 40, 4), func(entry string) bool {
		for name := range strings.SplitSeq(strings.Trim(entry, "/|"), "/") {
			if strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".") {
				return true // such a name is not hidden to rg
			}
		}
		return false
	})
	for name := range strings.FieldsSeq(
		"main.go sub/main.go sub/deep/x.txt .hidden .dir/x.txt sub/.hidden.go node_modules/x.go") {
		if r.IntN(2) == 0 {
			entries = append(entries, "f-"+name, name)
		}
	}
	root := fixture.Make(t, append(entries, "d/", "d/e/")...)
	tree := randomTree{root: root, binary: r.IntN(2) == 0}
	if err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Type().IsRegular() && !strings.HasSuffix(path, "ignore"):
			write(t, path, string(content(r, tree.binary)))
		case d.IsDir():
			for _, name := range []string{".gitignore", ".ignore", ".rgignore"} {
				if _, err := os.Lstat(path + "/" + name); err != nil && r.IntN(6) == 0 {
					write(t, path+"/"+name, rules(r))
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	tree.choose(t, r)
	return tree
}

func (tree *randomTree) choose(t *testing.T, r *rand.Rand) {
	tree.flags = []string{"--sort=path"}
	for i, at := range []string{"", "/d", "/d/e", "/sub"} {
		if r.IntN(4) > 0 && (i > 0 || r.IntN(2) > 0) {
			continue
		}
		if err := os.MkdirAll(tree.root+at+"/.git/info", 0o700); err != nil {
			continue // sub is a file here
		}
		write(t, tree.root+at+"/.git/info/exclude", rules(r))
	}
	tree.scope.Ignore = ignore.Options{Git: true, Nested: true, OpenGit: r.IntN(2) == 0}
	switch r.IntN(4) {
	case 0:
		tree.scope.Ignore = ignore.Options{}
		tree.flags = append(tree.flags, "--no-ignore")
	case 1:
		tree.flags = append(tree.flags, "--no-ignore-dot")
	default:
		tree.scope.Ignore.Tools = search.ToolIgnoreFiles()
	}
	if r.IntN(2) == 0 {
		tree.scope.Hidden = true
		tree.flags = append(tree.flags, "--hidden")
	}
	for range max(r.IntN(5)-2, 0) {
		glob := rule(r)
		if strings.HasPrefix(glob, "#") || strings.Contains(glob, `\`) {
			continue
		}
		tree.addGlob(glob)
	}
	if tree.scope.Ignore.Git && !tree.scope.Ignore.OpenGit {
		tree.addGlob("!.git") // which gander leaves out, and rg does not
	}
}

func (tree *randomTree) addGlob(glob string) {
	tree.scope.Globs = append(tree.scope.Globs, glob)
	tree.flags = append(tree.flags, "--glob="+glob)
}

func rules(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(5) {
		b.WriteString(rule(r) + "\n")
	}
	return b.String()
}

// rule returns a pattern for an ignore file that means the same to git and ripgrep.
func rule(r *rand.Rand) string {
	names := strings.Fields(
		"*.go *.txt x.txt main.go f-* a ab* b d e sub deep .hidden .* node_modules *é* ?b a?")
	pattern := names[r.IntN(len(names))]
	for range r.IntN(3) {
		switch r.IntN(4) {
		case 0:
			pattern = names[r.IntN(len(names))] + "/" + pattern
		case 1:
			pattern = "**/" + pattern
		case 2:
			pattern += "/**"
		}
	}
	if r.IntN(6) == 0 {
		pattern = "/" + pattern
	}
	if r.IntN(6) == 0 {
		pattern += "/"
	}
	if r.IntN(4) == 0 {
		pattern = "!" + pattern
	}
	return pattern
}

// content returns the content of a file: lines of words in all encodings, some files with a NUL,
// some with long lines.
func content(r *rand.Rand, isBinary bool) []byte {
	words := strings.Split("foo bar foobar Foo é 漢字 x y func \xff \xc3 \r  ", " ")
	var b bytes.Buffer
	for range []int{0, 1, 10, 100, 4000}[r.IntN(5)] {
		for range r.IntN(8) {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
		if !isBinary && r.IntN(3000) == 0 {
			b.WriteString(strings.Repeat("long ", r.IntN(50_000)))
		}
		if isBinary && r.IntN(5000) == 0 {
			b.WriteByte(0)
		}
		b.WriteByte('\n')
	}
	text := b.Bytes()
	if r.IntN(3) == 0 {
		text = bytes.TrimSuffix(text, []byte("\n"))
	}
	if isBinary {
		return text
	}
	units := append([]uint16{0xfeff}, utf16.Encode([]rune(string(text)))...)
	switch r.IntN(12) {
	case 0:
		return append([]byte("\xef\xbb\xbf"), text...)
	case 1:
		text, _ = binary.Append(nil, binary.LittleEndian, units)
	case 2:
		text, _ = binary.Append(nil, binary.BigEndian, units)
	}
	return text
}

// TestAsRipgrep compares searches of random trees with rg. GANDER_CASES is the number of trees.
func TestAsRipgrep(t *testing.T) {
	ripgrep.Need(t)
	binary := t.TempDir()
	write(t, binary+"/f", "x\ny\ny\n\x00\n")
	shown, _ := ripgrep.Run(t, binary, "", "x", "./")
	skipsBinary := !strings.Contains(string(shown), "x") // rg 15.2 shows a match in the first line
	for seed := range ripgrep.Cases(t, "GANDER_CASES", 25) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(seed), 13))
			tree := newRandomTree(t, r)
			if tree.binary && !skipsBinary {
				t.Skip("this rg shows a match before the NUL of a file")
			}
			tree.compareFiles(t)
			tree.compareLines(t, r)
			tree.compareNamesAndCounts(t, r)
		})
	}
}

func (tree randomTree) compare(t *testing.T, got, want []string) {
	t.Helper()
	if d := difference(got, want); d != "" {
		t.Errorf("rg %q: %s", tree.flags, d)
	}
}

// compareFiles compares the found files with rg --files.
func (tree randomTree) compareFiles(t *testing.T) {
	t.Helper()
	got, err := regularFiles(open(t, tree.root), tree.scope)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := filesOfRipgrep(t, tree.root, tree.flags)
	tree.compare(t, got, want)
}

// regularFiles returns the paths of the regular files of a scope.
func regularFiles(tr tree, scope search.Scope) (paths []string, err error) {
	o := search.FindOptions{Scope: scope, Kinds: []workspace.EntryKind{workspace.Regular}}
	for e, err := range search.Find(tr.t.Context(), tr.w, tr.start, o) {
		if err != nil {
			return nil, err
		}
		paths = append(paths, e.Path())
	}
	return paths, nil
}

// filesOfRipgrep returns the files that rg --files lists in a directory, and the error of rg about
// the flags, if any.
func filesOfRipgrep(t *testing.T, dir string, flags []string) (paths []string, refused string) {
	out, refused := ripgrep.Run(t, dir, "", append(flags, "--files", "--null", "./")...)
	for path := range strings.SplitSeq(string(out), "\x00") {
		if path != "" {
			paths = append(paths, strings.TrimPrefix(path, "./"))
		}
	}
	return paths, refused
}

// compareLines compares the found lines, numbers, offsets, spans and context with rg --json.
func (tree randomTree) compareLines(t *testing.T, r *rand.Rand) {
	t.Helper()
	patterns := []string{"foo", "é|bar", "^x", "[a-c]+r", "long", "^$"}
	pattern := patterns[r.IntN(len(patterns))]
	o := search.Options{Scope: tree.scope, Before: max(r.IntN(4)-1, 0), After: max(r.IntN(4)-1, 0)}
	if tree.binary {
		o.Before, o.After = 0, 0
	}
	tree.flags = append(slices.Clone(tree.flags), fmt.Sprintf("-B%d", o.Before),
		fmt.Sprintf("-A%d", o.After), "--json", "-e", pattern, "./")
	var want []string
	out, _ := ripgrep.Run(t, tree.root, "", tree.flags...)
	for _, l := range ripgrep.Lines(t, out) {
		r := search.Result{Path: strings.TrimPrefix(l.Path, "./"), Line: search.Line{
			Number: l.Number, Offset: l.Offset, Text: []byte(l.Text), Length: int64(len(l.Text)),
			Context: l.Context,
		}}
		want = append(want, describe(r, l.Spans))
	}
	for _, o.Workers = range []int{-1, 1, 2, 8} {
		var got []string
		for r := range open(t, tree.root).results(pattern, o.Eager()) {
			if r.Line.Number > 0 {
				got = append(got, describe(r, spans(t, r.Line, math.MaxInt)))
			}
		}
		tree.compare(t, got, want)
	}
}

// describe returns a line as text, without the text of a long line, and without spans in context,
// which need not equal rg's.
func describe[Span any](r search.Result, spans []Span) string {
	text := string(r.Line.Text)
	switch {
	case r.Line.Length > 64<<10:
		text = "long"
	case r.Line.Context:
		text, spans = "context "+text, nil
	}
	return fmt.Sprintf("%s:%d:%d:%v:%q", r.Path, r.Line.Number, r.Line.Offset, spans, text)
}

// compareNamesAndCounts compares names and counts with rg -l and rg -c.
func (tree randomTree) compareNamesAndCounts(t *testing.T, r *rand.Rand) {
	t.Helper()
	for output, flag := range map[search.Output]string{search.Names: "-l", search.Counts: "-c"} {
		o := search.Options{Scope: tree.scope, Output: output, Workers: r.IntN(4) - 1}
		var got, want []string
		for r := range open(t, tree.root).results("foo", o.Eager()) {
			got = append(got, fmt.Sprintf("%s\x00%d", r.Path, r.Count))
		}
		flags := append(slices.Clone(tree.flags), "-0", flag, "-e", "foo", "./")
		text, _ := ripgrep.Run(t, tree.root, "", flags...)
		for out := string(text); out != ""; {
			path, count := "", "0"
			if path, out, _ = strings.Cut(out, "\x00"); output == search.Counts {
				count, out, _ = strings.Cut(out, "\n")
			}
			want = append(want, strings.TrimPrefix(path, "./")+"\x00"+count)
		}
		tree.compare(t, got, want)
	}
}

// TestGlobsAsRipgrep compares files selected by random globs, and invalid globs, with rg --files.
func TestGlobsAsRipgrep(t *testing.T) {
	ripgrep.Need(t)
	entries := strings.Fields("a b.rs é.rs .h src/a src/b.rs src/x.ts src/sub/a src/sub/y.rs " +
		"src/sub/deep/b.rs sub/src/b.rs [x] {a} a,b !a #a back\\slash a-b d] - ^ ** ?")
	root := fixture.Make(t, append(entries, "new\nline", " s")...)
	// Where braces and ** meet, ** counts as in the expansion.
	besideBraces := regexp.MustCompile(`\*\*[{},]|[{},]\*\*`)
	parts := strings.Split("a|b|.rs|.ts|src|sub|src/|sub/|/|/|*|*|**|**/|/**|***|?|[ab]|[!a]|[^s]|"+
		"[a-c]|[a-|]|[]|]|[|{a,b}|{|}|,|{src,sub}|{a,{b,x}}|{,a}|{}|{**/a,b}|{src/**,a}|\\|\\a|\\*|"+
		"\\{|!|#|é|[é]|[/]|[+-9]|-| |.|..|~|x|deep|\n", "|")
	for seed := range ripgrep.Cases(t, "GANDER_CASES", 120) {
		r := rand.New(rand.NewPCG(uint64(seed), 17))
		var b strings.Builder
		for range 1 + r.IntN(6) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		globs := []string{b.String()}
		if r.IntN(4) == 0 {
			globs = append(globs, parts[r.IntN(20)]+parts[r.IntN(20)])
		}
		if besideBraces.MatchString(strings.Join(globs, " ")) {
			continue
		}
		flags := []string{"--hidden", "--no-ignore", "--sort=path"}
		for _, g := range globs {
			flags = append(flags, "--glob="+g)
		}
		want, refused := filesOfRipgrep(t, root, flags)
		got, err := regularFiles(open(t, root), search.Scope{Globs: globs, Hidden: true})
		if (refused != "") != (err != nil) {
			t.Errorf("seed %d, %q: got %v, and rg: %s", seed, globs, err, refused)
		} else if d := difference(got, want); d != "" {
			t.Errorf("seed %d, %q: %s", seed, globs, d)
		}
	}
}
