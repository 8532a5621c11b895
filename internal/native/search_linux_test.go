package native

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gander/internal/native/call"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/ripgrep"
	"gander/internal/testkit/tooltest"
)

// randomTree makes a tree with ignore files and text to search.
func randomTree(t *testing.T, r *rand.Rand) (root string) {
	t.Helper()
	entries := slices.DeleteFunc(fixture.Random(r, 40, 4), func(entry string) bool {
		// rg does not take ... for hidden.
		return strings.Contains(entry+"/", "../") || strings.HasSuffix(entry, "..|")
	})
	root = fixture.Make(t, append(entries, "d/", "d/e/", "d/main.go", "d/e/main.go", "d/x.txt",
		".git/", ".git/config", ".github/")...)
	if err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Type().IsRegular() && d.Name() != ".gitignore":
			return os.WriteFile(path, randomText(r), 0o600)
		case d.IsDir() && r.IntN(4) == 0:
			rules := strings.Join([]string{"*.txt", "e/", "/a*", "!main.go", "f-*"}[r.IntN(4):], "\n")
			return os.WriteFile(path+"/.gitignore", []byte(rules), 0o600)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return root
}

func randomText(r *rand.Rand) []byte {
	words := strings.Split("foo bar foobar Foo é 漢字 x y func \xff \t z. [a] \u2028", " ")
	var b bytes.Buffer
	if r.IntN(10) == 0 {
		b.WriteString("\x00")
	}
	for range []int{0, 1, 10, 60}[r.IntN(4)] {
		for range r.IntN(8) {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
		if r.IntN(300) == 0 {
			b.WriteString(strings.Repeat("long é ", r.IntN(12_000)))
		}
		b.WriteString([]string{"\n", "\r\n"}[r.IntN(2)])
	}
	// Without a line feed at the end, rg --crlf takes a carriage return there for the end of a line.
	return bytes.TrimSuffix(bytes.TrimSuffix(b.Bytes(), []byte("\n")), []byte("\r"))
}

// matchesIn returns path:number of each matching line. Paths are checked to mean the same file.
func matchesIn(t *testing.T, e *call.Environment, lines []string) (found []string) {
	t.Helper()
	path := ""
	for _, l := range lines {
		number, _, isLine := strings.Cut(l, "\t")
		switch {
		case l == "", l == "--", strings.HasPrefix(l, "[binary"):
		case isLine && strings.HasSuffix(number, "-"):
		case isLine && strings.HasSuffix(number, "="): // the beginning of a definition
		case isLine:
			found = append(found, path+":"+number)
		default:
			got, err := e.NewCall("").Paths.Find(t.Context(), l)
			if err != nil || e.NewCall("").Paths.Show(got.Location) != l {
				t.Fatalf("%q is not understood: %v", l, err)
			}
			path = got.Location.Path()
		}
	}
	return found
}

// ripgrepMatches returns path:number of each line that rg finds.
func ripgrepMatches(t *testing.T, root string, args []string) (found []string) {
	t.Helper()
	out, _ := ripgrep.Run(t, root, "", args...)
	for _, l := range ripgrep.Lines(t, out) {
		found = append(found, fmt.Sprintf("%s:%d", l.Path, l.Number))
	}
	return found
}

// TestSearchAsRipgrep compares the lines of all pages with rg and the options in docs/toolset.md.
func TestSearchAsRipgrep(t *testing.T) {
	ripgrep.Need(t)
	for seed := range 2 {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		root := randomTree(t, r)
		e := nativetest.Environment(tooltest.Workspace(t, nil, root))
		for i, pattern := range strings.Fields(`foo Foo|bar$ \bx\b ^$ [é漢] z. func.*y long`) {
			flags := strings.Fields("--json --no-messages --crlf --hidden --no-ignore-dot --sort=path")
			args := map[string]any{"offset": 1, "pattern": pattern, "ignored": i%3 == 0}
			if i%3 == 0 {
				flags = append(flags, "--no-ignore")
			}
			if i%3 > 0 {
				flags = append(flags, "-g", "!.git")
			}
			if i%2 == 0 {
				flags = append(flags, "-i")
			}
			want := ripgrepMatches(t, root, append(flags, "-e", pattern))
			if i%2 == 0 { // a glob of rg includes what is ignored; that of search_text only selects
				args["glob"], args["ignore_case"] = "d/**", true
				selected := ripgrepMatches(t, root, append(flags, "-g", "d/**", "-e", pattern))
				want = slices.DeleteFunc(want, func(line string) bool {
					return !slices.Contains(selected, line)
				})
			}
			pages := tooltest.Pages(callerIn(t, e, "search_text"), args, tooltest.RandomBudget(r))
			got := matchesIn(t, e, pages)
			if !slices.Equal(got, want) {
				t.Errorf("seed %d: %v: found\n%q\nrg found\n%q", seed, args, got, want)
			}
		}
	}
}

// TestPages checks that all pages under random budgets and limits have the lines of one page.
func TestPages(t *testing.T) {
	seeds := 3
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		e := nativetest.Environment(tooltest.Workspace(t, nil, randomTree(t, r), randomTree(t, r)))
		e.Settings.MaxChars = 0
		other := e.Workspace.Roots()[1]
		for _, tt := range []struct {
			tool string
			args map[string]any
		}{
			{"list_dir", map[string]any{"path": "d", "ignored": true}},
			{"find_files", map[string]any{"path": ".", "ignored": true}},
			{"find_files", map[string]any{"path": other, "kind": "file", "sort": "modified"}},
			{"find_files", map[string]any{"path": ".", "pattern": "**/e/*"}},
			{"search_text", map[string]any{"path": ".", "pattern": "[a-z]+", "output": "matches"}},
			{"search_text", map[string]any{"pattern": "foo", "path": other, "context": 3}},
			{"search_text", map[string]any{"path": ".", "pattern": "foo", "output": "files"}},
			{"search_text", map[string]any{"path": ".", "pattern": "^", "output": "counts"}},
		} {
			var all [2][]string
			for i, budget := range []func() int{func() int { return 1 << 30 }, tooltest.RandomBudget(r)} {
				tt.args["offset"], tt.args["limit"] = 1, []int{1 << 30, 1 + r.IntN(40)}[i]
				all[i] = tooltest.Pages(callerIn(t, e, tt.tool), tt.args, budget)
				if tt.args["context"] != nil || tt.args["output"] == "matches" {
					all[i] = matchesIn(t, e, all[i])
				}
			}
			if !slices.Equal(all[0], all[1]) {
				t.Errorf("seed %d: %v\none page: %q\npages:    %q", seed, tt, all[0], all[1])
			}
		}
	}
}

// TestDeepTree lists entries whose paths are much longer than their lines.
func TestDeepTree(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	deep := strings.Repeat("d", 250)
	for range 15 {
		tooltest.Write(t, ".", deep+"/")
		t.Chdir(deep)
	}
	// Their paths have 15 MB together.
	for i := range 4000 {
		tooltest.Write(t, ".", fmt.Sprint(i))
	}
	e := nativetest.Environment(tooltest.Workspace(t, nil, root))
	e.Settings.MaxChars = 0
	r, err := bounded(t, e, "list_dir", "deep", map[string]any{"depth": 100, "limit": 5000}, 11)
	want := "\n" + strings.Repeat("  ", 15) + "3999"
	if err != nil || !strings.Contains(string(r.Parts[0].Text), want) {
		t.Errorf("%v, %.200v...", err, r)
	}
}
