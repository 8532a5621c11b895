package codex

import (
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gander/internal/files/text"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/ripgrep"
	"gander/internal/testkit/tooltest"
	"gander/internal/toolset"
)

// oneOf returns one of several words between spaces. An underscore represents a space.
func oneOf(r *rand.Rand, words string) string {
	all := strings.Split(words, " ")
	return strings.ReplaceAll(all[r.IntN(len(all))], "_", " ")
}

// grepTree makes a tree with ignore files, repositories, symlinks, and a variety of names and
// contents. The modification time of each file is unique.
func grepTree(t *testing.T, r *rand.Rand) (root string) {
	t.Helper()
	entries := []string{
		"src/main.rs", "src/lib.rs", "src/web/app.ts", "src/web/a.b.tsx", "docs/x.md", ".hidden", ".h/f",
		"node_modules/m/i.js", "a b", "-x", "[y]", "é.txt", "bad\xff.txt", "d\xff/in", "pipe|",
		"to-src => src", "to-file => src/main.rs", "away => /etc", "broken => none", "loop => loop",
		"src/up => ..", "empty/", "q/.r/s/t", "dist/o.js", "top.",
	}
	entries = slices.DeleteFunc(entries, func(string) bool { return r.IntN(6) == 0 })
	root = fixture.Make(t, append(entries, "src/", "src/web/", "sub/deep/z.rs", "sub/y.txt")...)
	var files []string
	write := func(path, content string) {
		files = append(files, path)
		fixture.Must(t, os.WriteFile(path, []byte(content), 0o600))
	}
	rules := func() (content string) {
		for range r.IntN(4) {
			content += oneOf(r, "*.ts /src web/ !app.ts *.rs !main.rs sub/** **/deep .* !.hidden "+
				"node_modules docs/* x.md # q") + "\n"
		}
		return content
	}
	fixture.Must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Type().IsRegular() && !slices.Contains(files, path):
			write(path, grepText(r))
			return nil
		case !d.IsDir():
			return nil
		}
		for _, name := range []string{".gitignore", ".ignore", ".rgignore"} {
			if r.IntN(5) == 0 {
				write(path+"/"+name, rules())
			}
		}
		if path == root && r.IntN(2) == 0 || r.IntN(8) == 0 {
			fixture.Must(t, os.MkdirAll(path+"/.git/info", 0o700))
			write(path+"/.git/info/exclude", rules())
		}
		return nil
	}))
	r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	for i, path := range files {
		at := time.Unix(1_700_000_000, int64(i)*1000+int64(r.IntN(1000)))
		fixture.Must(t, os.Chtimes(path, at, at))
	}
	return root
}

func grepText(r *rand.Rand) (content string) {
	for range r.IntN(8) {
		content += oneOf(r, "word Word tide foo_bar über ÜBER caf\xe9 2024-01 a{b \"q\" αβγ a.b "+
			"x\ty")
		content += []string{"", " ", "\r", "\n", "\n", "\r\n"}[r.IntN(6)]
	}
	switch r.IntN(20) {
	case 0:
		content += "\x00"
	case 1:
		content += strings.Repeat("long\n", 20_000) + "word\x00"
	}
	return content
}

func randomGrep(r *rand.Rand, root string) map[string]any {
	args := map[string]any{"pattern": oneOf(r, `word Word (?i)word tide|foo ^foo foo$ \bfoo\b über `+
		`(?i)über \d{4} caf. a\{b { a{b \"q\" \/ _ x\ty ( foo(?=b) $ ^$ . \p{Greek}+ `+
		`foo\nbar [[:alpha:]]+ar a.b _word_ \w+\s\w+ (?s). long$ `+
		`(a|b|c)*d \Afoo \q`+" x\ty foo\nbar")}
	if r.IntN(2) == 0 {
		args["include"] = oneOf(r, `*.rs *.{ts,tsx} !*.md src/** src src/ web/*.ts /src/*.rs **/web/** `+
			`.hidden .* !.* * {src,sub}/** [ {a _ _*.rs_ ?.txt ??.txt \*.rs [!s]* !src/** ../* ./src/* `+
			`#x *.RS sub/deep/z.rs **/in -x \[y\] [[]y] a_b node_modules/** {.git,HEAD,exclude} to-src/* `+
			`src/../*.rs **.rs`)
	}
	if r.IntN(2) == 0 {
		path := oneOf(r, "_ . ./ ./src src src/ src//web src/web src/../src sub ROOT ROOT/src "+
			"ROOT/./src/web .hidden .h q q/.r node_modules src/main.rs src/main.rs/ src/main.rs/x nope "+
			"nope/.. to-src to-src/web to-file broken loop src/up src/up/docs .git .git/info/exclude "+
			"é.txt a_b -x empty dist a\x01b "+strings.Repeat("n", 300))
		args["path"] = strings.ReplaceAll(strings.TrimPrefix(path, " "), "ROOT", root)
	}
	if r.IntN(4) == 0 {
		args["limit"] = 1 + r.IntN(6)
	}
	return args
}

// original returns the original's result, from the same command line, or the start of its error.
func original(t *testing.T, root string, args map[string]any) (result string) {
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
	line := []string{
		"--files-with-matches", "--sortr=modified", "--regexp", pattern, "--no-messages",
		"--ignore-parent",
	}
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
		path = strings.TrimSuffix(path, "\n")
		if strings.ToValidUTF8(path, "") == path && len(found) < limit {
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
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 15))
			root := grepTree(t, r)
			verbatim := newGrepFiles(open(t, root), Options{VerbatimNames: true}.withDefaults())
			c := tooltest.NewCaller(t, verbatim, toolset.Options{})
			for range perTree {
				args := randomGrep(r, root)
				raw, err := json.Marshal(args)
				fixture.Must(t, err)
				result, failure := c.Call(string(raw), -1)
				got, want := result.Text(), original(t, root, args)
				if failure != nil {
					got = "error: " + failure.Message
				}
				isError := failure != nil && strings.HasPrefix(want, "error: ")
				if isError {
					want = text.EscapeLines(want) // the original repeats any path
				}
				if got != want && !(isError && strings.HasPrefix(got, want)) {
					t.Errorf("%s: got\n%s\nwant\n%s", raw, got, want)
				}
			}
		})
	}
}
