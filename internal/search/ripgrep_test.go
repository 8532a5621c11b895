//go:build linux

package search_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"gander/internal/files/ignore"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/search/match"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/ripgrep"
)

// A randomTree is a directory to search in, and how.
type randomTree struct {
	root  string
	scope search.Scope
	flags []string // of rg, for the same scope
	// binary means that files have NULs. Then they have no long lines and no other encodings, and
	// the options have no context, because the size of the buffer that rg searches before a NUL
	// depends on all of these.
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
	for _, name := range []string{"main.go", "sub/main.go", "sub/deep/x.txt", ".hidden", ".dir/x.txt", "sub/.hidden.go", "node_modules/x.go"} {
		if r.IntN(2) == 0 {
			entries = append(entries, "f-"+name, name)
		}
	}
	tree := randomTree{root: fixture.Make(t, append(entries, "d/", "d/e/")...), binary: r.IntN(2) == 0}
	if err := filepath.WalkDir(tree.root, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Type().IsRegular() && !strings.HasSuffix(path, "ignore"):
			return os.WriteFile(path, content(r, tree.binary), 0o600)
		case d.IsDir():
			for _, name := range []string{".gitignore", ".ignore", ".rgignore"} {
				if _, err := os.Lstat(path + "/" + name); err != nil && r.IntN(6) == 0 {
					if err := os.WriteFile(path+"/"+name, []byte(rules(r)), 0o600); err != nil {
						return err
					}
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
		if err := os.WriteFile(tree.root+at+"/.git/info/exclude", []byte(rules(r)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	switch r.IntN(4) {
	case 0:
		tree.flags = append(tree.flags, "--no-ignore")
	case 1:
		tree.scope.Ignore = ignore.Options{Git: true, Nested: true, OpenGit: r.IntN(2) == 0}
		tree.flags = append(tree.flags, "--no-ignore-dot")
	default:
		tree.scope.Ignore = ignore.Options{Git: true, Nested: true, OpenGit: r.IntN(2) == 0, Tools: search.ToolIgnoreFiles()}
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
	names := strings.Fields("*.go *.txt x.txt main.go f-* a ab* b d e sub deep .hidden .* node_modules *é* ?b a?")
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
	switch r.IntN(12) {
	case 0:
		return append([]byte("\xef\xbb\xbf"), text...)
	case 1:
		return utf16Of(binary.LittleEndian, string(text))
	case 2:
		return utf16Of(binary.BigEndian, string(text))
	default:
		return text
	}
}

func utf16Of(order binary.ByteOrder, text string) []byte {
	b := make([]byte, 0, 2*len(text)+2)
	for _, unit := range append([]uint16{0xfeff}, utf16.Encode([]rune(text))...) {
		b = append(b, 0, 0)
		order.PutUint16(b[len(b)-2:], unit)
	}
	return b
}

// TestAsRipgrep compares searches of random trees with rg. GANDER_CASES is the number of trees.
func TestAsRipgrep(t *testing.T) {
	ripgrep.Need(t)
	for seed := range ripgrep.Cases(t, "GANDER_CASES", 25) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(seed), 13))
			tree := newRandomTree(t, r)
			compareFiles(t, tree)
			compareLines(t, r, tree)
			compareNamesAndCounts(t, r, tree)
		})
	}
}

// compareFiles compares the found files with rg --files.
func compareFiles(t *testing.T, tree randomTree) {
	t.Helper()
	w, start := open(t, tree.root, workspace.Options{})
	var got []string
	for e, err := range search.Find(t.Context(), w, start, search.FindOptions{Scope: tree.scope, Kinds: []workspace.EntryKind{workspace.Regular}}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.Path())
	}
	want, _ := filesOfRipgrep(t, tree.root, tree.flags)
	compare(t, tree, got, want)
}

// filesOfRipgrep returns the files that rg --files lists in a directory, and why rg refuses the
// flags, if it does.
func filesOfRipgrep(t *testing.T, dir string, flags []string) (paths []string, refused string) {
	out, refused := ripgrep.Run(t, dir, "", append(flags, "--files", "--null", "./")...)
	for path := range strings.SplitSeq(string(out), "\x00") {
		if path != "" {
			paths = append(paths, strings.TrimPrefix(path, "./"))
		}
	}
	return paths, refused
}

func compare(t *testing.T, tree randomTree, got, want []string) {
	t.Helper()
	if d := difference(got, want); d != "" {
		t.Errorf("rg %q: %s", tree.flags, d)
	}
}

// compareLines compares the found lines, numbers, offsets, spans and context with rg --json.
func compareLines(t *testing.T, r *rand.Rand, tree randomTree) {
	t.Helper()
	patterns := []string{"foo", "é|bar", "^x", "[a-c]+r", "long", "^$"}
	pattern := patterns[r.IntN(len(patterns))]
	m, err := match.Compile(t.Context(), pattern, match.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := search.Options{Scope: tree.scope, Before: max(r.IntN(4)-1, 0), After: max(r.IntN(4)-1, 0)}
	if tree.binary {
		o.Before, o.After = 0, 0
	}
	flags := append(slices.Clone(tree.flags), fmt.Sprintf("-B%d", o.Before), fmt.Sprintf("-A%d", o.After), "--json", "-e", pattern, "./")
	var want []string
	out, _ := ripgrep.Run(t, tree.root, "", flags...)
	for _, l := range ripgrep.Lines(t, out) {
		r := search.Result{Path: strings.TrimPrefix(l.Path, "./")}
		r.Line = search.Line{Number: l.Number, Offset: l.Offset, Text: []byte(l.Text), Length: int64(len(l.Text)), Context: l.Context}
		want = append(want, describe(r, l.Spans))
	}
	w, start := open(t, tree.root, workspace.Options{})
	for _, o.Workers = range []int{-1, 1, 2, 8} {
		var got []string
		for r, err := range search.Search(t.Context(), w, start, m, o.Eager()) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Line.Number > 0 {
				got = append(got, describe(r, r.Line.Spans(nil)))
			}
		}
		tree.flags = flags
		compare(t, tree, got, want)
	}
}

// describe returns a line as text, without what need not equal rg: the text of a long line, and
// spans in context.
func describe[Span any](r search.Result, spans []Span) string {
	text := string(r.Line.Text)
	switch {
	case r.Line.Length > 64<<10:
		text, spans = "long", nil
	case r.Line.Context:
		text, spans = "context "+text, nil
	}
	return fmt.Sprintf("%s:%d:%d:%v:%q", r.Path, r.Line.Number, r.Line.Offset, spans, text)
}

// compareNamesAndCounts compares names and counts with rg -l and rg -c.
func compareNamesAndCounts(t *testing.T, r *rand.Rand, tree randomTree) {
	t.Helper()
	m, err := match.Compile(t.Context(), "foo", match.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, start := open(t, tree.root, workspace.Options{})
	for output, flag := range map[search.Output]string{search.Names: "-l", search.Counts: "-c"} {
		var got []string
		for r, err := range search.Search(t.Context(), w, start, m, search.Options{Scope: tree.scope, Output: output, Workers: r.IntN(4) - 1}.Eager()) {
			if err != nil {
				t.Fatal(err)
			}
			line := r.Path
			if output == search.Counts {
				line = fmt.Sprintf("%s\x00%d", r.Path, r.Count)
			}
			got = append(got, line)
		}
		var want []string
		text, _ := ripgrep.Run(t, tree.root, "", append(slices.Clone(tree.flags), "-0", flag, "-e", "foo", "./")...)
		for out := string(text); out != ""; {
			path, rest, _ := strings.Cut(out, "\x00")
			if out = rest; output == search.Counts {
				var count string
				count, out, _ = strings.Cut(rest, "\n")
				path += "\x00" + count
			}
			want = append(want, strings.TrimPrefix(path, "./"))
		}
		compare(t, tree, got, want)
	}
}
