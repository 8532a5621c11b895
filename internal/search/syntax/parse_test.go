package syntax

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

func TestErrors(t *testing.T) {
	rows := append(table(t, "errors.txt"), []string{"a\nb", "1", "line feed"},
		[]string{"a\xff", "1", "UTF-8"}, []string{strings.Repeat("(", 251), "250", "too deep"})
	for _, row := range rows {
		_, err := Parse(t.Context(), row[0], Options{})
		e, ok := errors.AsType[*Error](err)
		if !ok || fmt.Sprint(e.Offset) != row[1] || !strings.Contains(e.Message, row[2]) {
			t.Errorf("%q: %v, want %q at byte %s", row[0], err, row[2], row[1])
		}
	}
}

// table returns the columns of the lines of a file.
func table(t *testing.T, file string) (rows [][]string) {
	content, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(content)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows
}

// TestClasses determines the characters that a pattern matches.
func TestClasses(t *testing.T) {
	const among = "\x00\t\r !&-/09?@AKMZ[]^_abkmsz{}~\u00a0µßéÉſσςΣλٓ٣中ẞ\u200d\u2028\u212a"
	for _, row := range table(t, "classes.txt") {
		want, err := strconv.Unquote(`"` + row[1] + `"`)
		if err != nil {
			t.Fatal(err)
		}
		n, err := Parse(t.Context(), row[0], Options{})
		if err != nil {
			t.Errorf("%q: %v", row[0], err)
			continue
		}
		for _, r := range among {
			if n.Op != Class || n.Set.Contains(r) != strings.ContainsRune(want, r) {
				t.Errorf("%q matches %q: %t", row[0], r, n.Set.Contains(r))
			}
		}
	}
}

// TestPerlClasses compares the classes with the tables of package unicode.
func TestPerlClasses(t *testing.T) {
	for class, tables := range map[string][]*unicode.RangeTable{
		`\d`: {unicode.Nd}, `\s`: {unicode.White_Space}, `\w`: WordTables,
	} {
		n, err := Parse(t.Context(), class, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for r := range rune(unicode.MaxRune + 1) {
			want := unicode.In(r, tables...) && r != '\n'
			if n.Set.Contains(r) != want {
				t.Errorf("%s: %U", class, r)
			}
		}
	}
}

// TestFold compares fold with folding each character.
func TestFold(t *testing.T) {
	all := Set{{0, unicode.MaxRune}}.Fold()
	if !slices.Equal(all, Set{{0, unicode.MaxRune}}) {
		t.Errorf("folding everything gives %v", all)
	}
	for r := rune(0); r < 0x1F000; r++ {
		want := Set{{r, r}}
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			want = append(want, Range{f, f})
		}
		if got := (Set{{r, r}}).Fold(); !slices.Equal(got, want.Canonical()) {
			t.Fatalf("%U folds to %v, want %v", r, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for s := range strings.FieldsSeq(`a|b*?c{2,3} [^a-z&&[\w--\d]] (?i-s:\xff)\b{start} (?U)a#b ` +
		`\p{sc=Greek}\u{41} (?<n>a)(?m:$) { [] \`) {
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, pattern string, ignoreCase bool) {
		if len(pattern) > maxPattern {
			t.Skip("its error has no place in the pattern")
		}
		n, err := Parse(t.Context(), pattern, Options{IgnoreCase: ignoreCase})
		if err == nil {
			check(t, n)
			return
		}
		if e, ok := errors.AsType[*Error](err); !ok || e.Offset < 0 || e.Offset > len(pattern) {
			t.Errorf("%q: error %v", pattern, err)
		}
	})
}

// check checks that sets are canonical and hold no line feed.
func check(t *testing.T, n *Node) {
	for i, r := range n.Set {
		disordered := r.Low > r.High || i > 0 && n.Set[i-1].High+1 >= r.Low
		if disordered || r.Low <= '\n' && r.High >= '\n' {
			t.Errorf("bad set %v", n.Set)
		}
	}
	for _, sub := range n.Subs {
		check(t, sub)
	}
}

// TestMemory checks that parsing a pattern allocates little, because many are parsed at once.
func TestMemory(t *testing.T) {
	for _, item := range []string{`\w`, `\W`, `\pL`, `\PL`, `[\w-]`, `[^\w-]`, `[\w&&\W]`, `[[\w]]`} {
		for _, flags := range []string{"", "(?i)"} {
			pattern := flags + strings.Repeat(item, 8000/len(item))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Parse(t.Context(), pattern, Options{})
			runtime.ReadMemStats(&after)
			allocated := (after.TotalAlloc - before.TotalAlloc) >> 10
			if err == nil || allocated > 32<<10 {
				t.Errorf("%.20s: got %.80v, and %d KiB were allocated", pattern, err, allocated)
			}
		}
	}
}

// TestLength checks the documented maximum of 8 KiB.
func TestLength(t *testing.T) {
	for size, fits := range map[int]bool{8 << 10: true, 8<<10 + 1: false} {
		if _, err := Parse(t.Context(), strings.Repeat("a", size), Options{}); (err == nil) != fits {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}
