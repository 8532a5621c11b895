package blocks

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// find returns the block around a line of a text.
func find(l Language, text string, line int) (b Block, ok bool) {
	f := NewFinder(l, 1, line)
	for text := range strings.Lines(text) {
		if !f.Add([]byte(strings.TrimSuffix(text, "\n")), false) {
			return f.Block(0, 200)
		}
	}
	f.End()
	return f.Block(0, 200)
}

// allLanguages returns the languages in their order, and the one of other files.
func allLanguages() []Language {
	var all []Language
	for _, l := range knownLanguages() {
		name, _, _ := strings.Cut(l.names, " ")
		all = append(all, ForFile(name))
	}
	return append(all, unknown())
}

// TestShapes asks for the block around each line of a text in each language.
func TestShapes(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/shapes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	tested := make(map[string]bool)
	for _, file := range archive.Files {
		l := ForFile(file.Name)
		tested[l.names] = true
		var text strings.Builder
		names := []byte{0} // of the blocks, by line
		for line := range strings.Lines(string(file.Data)) {
			line = strings.TrimSuffix(line, "\n")
			names = append(names, line[0])
			text.WriteString(strings.TrimPrefix(line[1:], " ") + "\n")
		}
		for line := 1; line < len(names); line++ {
			name := names[line : line+1]
			got, _ := find(l, text.String(), line)
			if name[0] == '.' {
				continue
			}
			want := Block{First: bytes.Index(names, name), Last: bytes.LastIndex(names, name)}
			if got.First != want.First || got.Last != want.Last {
				t.Errorf("%s:%d: the block is %d-%d, want %d-%d", file.Name, line, got.First, got.Last,
					want.First, want.Last)
			}
		}
	}
	for _, l := range allLanguages() {
		if !tested[l.names] {
			t.Errorf("no shapes in the language of %s", l.names)
		}
	}
}

// TestDeepConditions looks for a function with more conditions in each other than are kept.
func TestDeepConditions(t *testing.T) {
	const depth = 2 * maxBranches
	text := "int f(void)\n{\n" + strings.Repeat("#if A\n", depth) +
		strings.Repeat("#endif\n", depth-1) + "if (a) {\n#else\nif (b) {\n#endif\n}\n}\n"
	last := strings.Count(text, "\n")
	b, ok := find(ForFile("a.c"), text+"int g(void)\n{\nx();\ny();\n}\n", 3)
	if !ok || b.First != 1 || b.Last != last {
		t.Errorf("the block is %d-%d, want 1-%d", b.First, b.Last, last)
	}
}

// FuzzFinder looks for the block around any line of any text. The block has this line and ends in
// the text, and the number of open blocks is bounded.
func FuzzFinder(f *testing.F) {
	archive, err := txtar.ParseFile("testdata/shapes.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for i, file := range archive.Files {
		f.Add(file.Data, uint(3), uint8(i))
	}
	f.Add([]byte(strings.Repeat("({[", 500)), uint(1), uint8(0))
	f.Add([]byte(strings.Repeat("#if\n{\n#else\n", 50)), uint(9), uint8(5))
	f.Fuzz(func(t *testing.T, text []byte, line uint, language uint8) {
		all := allLanguages()
		count := bytes.Count(text, []byte("\n")) + 1
		asked := int(line%uint(count)) + 1
		finder := NewFinder(all[int(language)%len(all)], 1, asked)
		for line := range bytes.SplitSeq(text, []byte("\n")) {
			if !finder.Add(line, false) {
				break
			}
			if n := len(finder.structure.levels); n > maxLevels {
				t.Fatalf("%d levels", n)
			}
		}
		finder.End()
		b, ok := finder.Block(0, 1000)
		if ok && (b.First < 1 || asked < b.First || b.Last < asked || b.Last > count) {
			t.Errorf("the block around line %d of %d is %d-%d", asked, count, b.First, b.Last)
		}
	})
}

// TestLinear reads texts that repeat what could take time that grows with the square of their size.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, part := range []string{
		"/[/", "'", `R"`, "<<A ", "{", "}", "(", "#if\n", "#if\n#else\n#endif\n{\n", "%w", "$",
		"[[", "`${",
		"def f\n", "  x\n", "x\n", "function f", "@a", "s{", "q(", "a,", "/*", "*/", "begin ",
	} {
		for _, l := range allLanguages() {
			start := time.Now()
			f := NewFinder(l, 1, 1<<30)
			for line := range strings.Lines(strings.Repeat(part, 50_000/len(part))) {
				for ; len(line) > 0; line = line[min(len(line), 8000):] {
					f.Add([]byte(line[:min(len(line), 8000)]), false)
				}
			}
			f.End()
			if took := time.Since(start); took > 2*time.Second {
				t.Errorf("%q in %s takes %v", part, l.names, took)
			}
		}
	}
}
