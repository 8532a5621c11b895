package codex

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/ripgrep"
	"gander/tool"
)

// grepTree makes a tree with ignore files, repositories, links, and names and contents of all
// kinds. Each file has a time of its own.
func grepTree(t *testing.T, r *rand.Rand) (root string) {
	t.Helper()
	entries := []string{"src/main.rs", "src/lib.rs", "src/web/app.ts", "src/web/a.b.tsx", "docs/x.md", ".hidden", ".h/f", "node_modules/m/i.js", "a b", "-x", "[y]", "é.txt", "bad\xff.txt", "d\xff/in", "pipe|", "to-src => src", "to-file => src/main.rs", "away => /etc", "broken => none", "loop => loop", "src/up => ..", "empty/", "q/.r/s/t", "dist/o.js", "top."}
	entries = slices.DeleteFunc(entries, func(string) bool { return r.IntN(6) == 0 })
	root = fixture.Make(t, append(entries, "src/", "src/web/", "sub/deep/z.rs", "sub/y.txt")...)
	texts := []string{"word", "Word", "tide", "foo bar", "über", "ÜBER", "caf\xe9", "x\ty", "2024-01", "a{b", "\"q\"", "", "αβγ", "foo\r", "a.b"}
	var files []string
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	rules := func() []byte {
		var b strings.Builder
		for range r.IntN(4) {
			b.WriteString([]string{"*.ts", "/src", "web/", "!app.ts", "*.rs", "!main.rs", "sub/**", "**/deep", ".*", "!.hidden", "node_modules", "docs/*", "x.md", "#", "q"}[r.IntN(15)] + "\n")
		}
		return []byte(b.String())
	}
	must(filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			for _, name := range []string{".gitignore", ".ignore", ".rgignore"} {
				if r.IntN(5) == 0 {
					files = append(files, path+"/"+name)
					must(os.WriteFile(path+"/"+name, rules(), 0o600))
				}
			}
			if path == root && r.IntN(2) == 0 || r.IntN(8) == 0 {
				must(os.MkdirAll(path+"/.git/info", 0o700))
				must(os.WriteFile(path+"/.git/info/exclude", rules(), 0o600))
				files = append(files, path+"/.git/info/exclude")
			}
		}
		if err != nil || !d.Type().IsRegular() || strings.HasSuffix(path, "ignore") || strings.HasSuffix(path, "/exclude") {
			return err
		}
		files = append(files, path)
		var b strings.Builder
		for range r.IntN(8) {
			b.WriteString(texts[r.IntN(len(texts))] + []string{" ", "\n", "\n", "\r\n"}[r.IntN(4)])
		}
		switch r.IntN(20) {
		case 0:
			b.WriteString("\x00")
		case 1:
			b.WriteString(strings.Repeat("long\n", 20_000) + "word\x00")
		}
		return os.WriteFile(path, []byte(b.String()), 0o600)
	}))
	r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	for i, path := range files {
		at := time.Unix(1_700_000_000, int64(i)*1000+int64(r.IntN(1000)))
		must(os.Chtimes(path, at, at))
	}
	return root
}

// randomGrep returns random arguments.
func randomGrep(r *rand.Rand, root string) map[string]any {
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	args := map[string]any{"pattern": pick("word", "Word", "(?i)word", "tide|foo", "^foo", "foo$", `\bfoo\b`, "über", "(?i)über", `\d{4}`, `(?-u:\xe9)`, "caf.", `a\{b`, "{", "a{b", `\"q\"`, `\/`,
		"", "x\ty", `x\ty`, "(", "foo(?=b)", "$", "^$", ".", `\p{Greek}+`, "(?x) word # c", "(?x)w o r d", "foo\nbar", `foo\nbar`, "[[:alpha:]]+ar", "a.b", ` word `, `\w+\s\w+`, "(?s).", "long$", `(a|b|c)*d`, `\Afoo`, `\q`, `\x00`, `a|\x00`, `foo|\x00`)}
	if r.IntN(2) == 0 {
		args["include"] = pick("*.rs", "*.{ts,tsx}", "!*.md", "src/**", "src", "src/", "web/*.ts", "/src/*.rs", "**/web/**", ".hidden", ".*", "!.*", "*", "{src,sub}/**", "[", "{a", "", " *.rs ", "?.txt", "??.txt",
			"\\*.rs", "[!s]*", "!src/**", "../*", "./src/*", "#x", "*.RS", "sub/deep/z.rs", "**/in", "-x", `\[y\]`, "[[]y]", "a b", "node_modules/**", "{.git,HEAD,exclude}", "to-src/*", "src/../*.rs", "**.rs")
	}
	if r.IntN(2) == 0 {
		args["path"] = pick("", ".", "./", "./src", "src", "src/", "src//web", "src/web", "src/../src", "sub", root, root+"/src", root+"/./src/web", ".hidden", ".h", "q", "q/.r", "node_modules", "src/main.rs",
			"src/main.rs/", "src/main.rs/x", "nope", "nope/..", "to-src", "to-src/web", "to-file", "broken", "loop", "src/up", "src/up/docs", ".git", ".git/info/exclude", "é.txt", "a b", "-x", "empty", "dist", "a\x01b", strings.Repeat("n", 300))
	}
	if r.IntN(4) == 0 {
		args["limit"] = 1 + r.IntN(6)
	}
	return args
}

// original answers as the original does, with the same command line.
func original(t *testing.T, root string, args map[string]any) (answer string) {
	t.Helper()
	text := func(key string) string { s, _ := args[key].(string); return s }
	pattern, include := strings.TrimSpace(text("pattern")), strings.TrimSpace(text("include"))
	path := root
	if p, ok := args["path"].(string); ok {
		if path = p; !strings.HasPrefix(p, "/") {
			path = root + "/" + p
		}
	}
	if pattern == "" {
		return "error: pattern must not be empty"
	}
	if _, err := os.Stat(path); err != nil {
		return "error: unable to access `" + path + "`: "
	}
	line := []string{"--files-with-matches", "--sortr=modified", "--regexp", pattern, "--no-messages", "--ignore-parent"}
	if include != "" {
		line = append(line, "--glob", include)
	}
	out, refused := ripgrep.Run(t, root, "", append(line, "--", path)...)
	if refused != "" {
		return "error: rg failed: "
	}
	limit, ok := args["limit"].(int)
	if !ok {
		limit = 100
	}
	var found []string
	for path := range strings.Lines(string(out)) {
		if path = strings.TrimSuffix(path, "\n"); strings.ToValidUTF8(path, "") == path && len(found) < limit {
			found = append(found, path)
		}
	}
	if len(found) == 0 {
		return "No matches found."
	}
	return strings.Join(found, "\n")
}

// TestGrepFilesAsOriginal compares random calls with ripgrep 15. GANDER_CASES sets the number of
// calls.
func TestGrepFilesAsOriginal(t *testing.T) {
	ripgrep.Need(t)
	const perTree = 50
	for seed := range max(1, ripgrep.Cases(t, "GANDER_CASES", 150)/perTree) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 15))
			root := grepTree(t, r)
			w, err := workspace.Open(workspace.Options{}, root)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = w.Close() })
			s := DefaultGrepFilesSettings()
			s.VerbatimNames = true
			tl := NewGrepFiles(w, s)
			for range perTree {
				args := randomGrep(r, root)
				raw, err := json.Marshal(args)
				if err != nil {
					t.Fatal(err)
				}
				result, err := tl.Call(t.Context(), tool.Call{Args: raw})
				got, want := result.Text(), original(t, root, args)
				if err != nil {
					got = "error: " + err.Error()
				}
				if err != nil && strings.HasPrefix(want, "error: ") && strings.HasPrefix(got, want) {
					continue
				}
				if got != want {
					t.Errorf("%s: got\n%s\nwant\n%s", raw, got, want)
				}
			}
		})
	}
}
