package library

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gander"
	"gander/internal/files/text"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/unprivileged"
	"gander/tool"
)

// withoutGrep are the tools of four dialects but for codex/grep_files, which has a test of its own.
func withoutGrep() []string {
	return []string{"codex/list_dir", "codex/read_file", "gemini", "forge", "toolkit"}
}

// reasons returns what Why says of a path, as "cause [rule] at", by the id of the tool.
func reasons(t *testing.T, toolset *gander.Toolset, path string) map[string]string {
	t.Helper()
	all, err := toolset.Why(t.Context(), path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	got := map[string]string{}
	for _, r := range all {
		got[r.Tool] = strings.TrimRight(fmt.Sprintf("%s [%s] %s", r.Cause, r.Rule, r.At), " ")
	}
	return got
}

func TestWhy(t *testing.T) {
	outside := fixture.Make(t, "secret/x")
	root := fixture.Make(t, ".git/info/", ".env", "a.log", "id_rsa", "src/deep/er/est/x.go", "src/main.go", "node_modules/pad/x.js", "pipe|",
		"in => src", "broken => missing", "away => "+outside+"/secret", "bad\xff", "loop => loop", ".ssh/key", "logs/old/1.txt", "empty", "vendor/x/")
	for name, content := range map[string]string{".gitignore": "*.log\n/logs/\n", "empty": ""} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: withoutGrep(), Tree: gander.Tree{Exclude: []string{"ven*"}}, Policy: tool.Policy{}})
	for _, c := range []struct {
		path                          string
		list, read, gemini, forge, tk string
	}{
		{".", "shown [] .", "kind [a directory] .", "shown [] .", "shown [] .", "shown [] ."},
		{"src", "shown [] src", "kind [a directory] src", "shown [] src", "shown [] src", "shown [] src"},
		{
			".env", "shown [] .env", "denied [**/.env] .env", "shown [] .env", "hidden [include_hidden=false] .env",
			"kind [entry_kind=directory] .env",
		},
		{
			".git/info", "shown [] .git/info", "kind [a directory] .git/info", "ignored [git keeps .git to itself] .git",
			"hidden [include_hidden=false] .git", "hidden [include_hidden=false] .git",
		},
		{
			"a.log", "shown [] a.log", "shown [] a.log", "ignored [.gitignore:1:*.log] a.log", "shown [] a.log",
			"kind [entry_kind=directory] a.log",
		},
		{
			"logs/old/1.txt", "depth [depth=2] logs/old", "shown [] logs/old/1.txt", "ignored [.gitignore:2:/logs/] logs",
			"depth [recursive=false] logs/old", "kind [entry_kind=directory] logs/old/1.txt",
		},
		{
			"node_modules/pad/x.js", "depth [depth=2] node_modules/pad", "shown [] node_modules/pad/x.js", "depth [one directory a call] node_modules/pad",
			"depth [recursive=false] node_modules/pad", "excluded [include_default_excludes=true] node_modules",
		},
		{
			"vendor/x", "shown [] vendor/x", "kind [a directory] vendor/x", "depth [one directory a call] vendor",
			"depth [recursive=false] vendor", "excluded [exclude=ven*] vendor",
		},
		{
			"src/deep/er/est", "depth [depth=2] src/deep", "kind [a directory] src/deep/er/est", "depth [one directory a call] src/deep/er",
			"depth [recursive=false] src/deep/er", "depth [max_depth=3] src/deep/er",
		},
		{
			"pipe", "shown [] pipe", "kind [a FIFO, socket or device] pipe", "shown [] pipe", "kind [include_other=false] pipe",
			"kind [a FIFO, socket or device] pipe",
		},
		{"in", "shown [] in", "kind [a directory] in", "shown [] in", "shown [] in", "kind [entry_kind=directory] in"},
		{
			"in/main.go", "link [listings do not follow links] in", "shown [] in/main.go", "link [listings do not follow links] in",
			"link [listings do not follow links] in", "kind [entry_kind=directory] in",
		},
		{
			"broken", "shown [] broken", "link [it cannot be followed to its end] broken", "link [it cannot be followed to its end] broken",
			"shown [] broken", "kind [entry_kind=directory] broken",
		},
		{
			"loop", "shown [] loop", "link [it cannot be followed to its end] loop", "link [it cannot be followed to its end] loop",
			"shown [] loop", "kind [entry_kind=directory] loop",
		},
		{
			"away", "shown [] away", "outside [failed to read file: path is outside the workspace; use an absolute path inside it] away", "shown [] away",
			"shown [] away", "kind [entry_kind=directory] away",
		},
		{"away/x", "outside [] away", "outside [] away", "outside [] away", "outside [] away", "outside [] away"},
		{"away/none", "outside [] away", "outside [] away", "outside [] away", "outside [] away", "outside [] away"},
		{"/etc/passwd", "outside []", "outside []", "outside []", "outside []", "outside []"},
		{"src/../../x", "outside []", "outside []", "outside []", "outside []", "outside []"},
		{
			"id_rsa", "shown [] id_rsa", "denied [**/id_rsa*] id_rsa", "shown [] id_rsa", "shown [] id_rsa", "kind [entry_kind=directory] id_rsa",
		},
		{
			".ssh/key", "denied [**/.ssh/**] .ssh", "denied [**/.ssh/**] .ssh/key", "denied [**/.ssh/**] .ssh",
			"hidden [include_hidden=false] .ssh", "hidden [include_hidden=false] .ssh",
		},
		{ // Why does not say whether it exists
			".ssh/none", "denied [**/.ssh/**] .ssh", "denied [**/.ssh/**] .ssh/none", "denied [**/.ssh/**] .ssh",
			"hidden [include_hidden=false] .ssh", "hidden [include_hidden=false] .ssh",
		},
		{"empty", "shown [] empty", "empty [offset exceeds file length] empty", "shown [] empty", "shown [] empty", "kind [entry_kind=directory] empty"},
	} {
		want := map[string]string{
			"codex/list_dir": c.list, "codex/read_file": c.read, "gemini/list_directory": c.gemini, "forge/list_directory": c.forge, "toolkit/tree": c.tk,
		}
		for _, name := range []string{c.path, filepath.Join(root, c.path)} {
			if name == filepath.Join(root, "/etc/passwd") {
				continue
			}
			if diff := cmp.Diff(want, reasons(t, toolset, name)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	}
	if got := reasons(t, toolset, "bad\xff")["gemini/list_directory"]; got != "name [not UTF-8] bad\xff" {
		t.Errorf("a name that is not UTF-8: %s", got)
	}
	for path, kind := range map[string]tool.Kind{
		"none": tool.NotFound, "src/none/x": tool.NotFound, "src/main.go/x": tool.NotDirectory, "in/none": tool.NotFound, "a\x00b": tool.BadArguments,
		"loop/x": tool.Failed,
	} {
		var failure *tool.Error
		if _, err := toolset.Why(t.Context(), path); !errors.As(err, &failure) || failure.Kind != kind {
			t.Errorf("%q: %v, not an error of kind %s", path, err, kind)
		}
	}
}

func TestWhyGrepFiles(t *testing.T) {
	root := fixture.Make(t, ".git/info/", ".ignore", "id_rsa", ".h/x", "src/main.go", "src/logs/1.txt", "pipe|", "in => src", "bin", "empty", "u16", "a.log")
	for name, content := range map[string]string{".ignore": "*.log\n/src/logs/\n", "empty": "", "bin": "a\x00", "u16": "\xff\xfea\x00"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: []string{"grep_files"}})
	for path, want := range map[string]string{
		"src/main.go": "shown [] src/main.go", "u16": "shown [] u16", "src": "kind [a directory] src", "pipe": "kind [a FIFO, socket or device] pipe",
		"in/main.go": "link [searches do not follow links] in", "bin": "kind [binary: it has a NUL] bin", "empty": "empty [no line] empty",
		".h/x": "hidden [a name that begins with a dot] .h", "a.log": "ignored [.ignore:1:*.log] a.log", "src/logs/1.txt": "ignored [.ignore:2:/src/logs/] src/logs",
		"id_rsa": "denied [**/id_rsa*] id_rsa", "/etc/passwd": "outside []",
	} {
		if got := reasons(t, toolset, path)["codex/grep_files"]; got != want {
			t.Errorf("%s: %s, not %s", path, got, want)
		}
	}
}

func TestWhyLimits(t *testing.T) {
	root := fixture.Make(t, "a/", "b/", "c/", "d/1/2/3/")
	for _, c := range []struct {
		options gander.Options
		path    string
		want    map[string]string
	}{
		{gander.Options{ListDir: gander.ListDir{Limit: 2}, Tree: gander.Tree{MaxEntries: 3}, ForgeListDirectory: gander.ForgeListDirectory{MaxEntries: 2}}, "c", map[string]string{
			"codex/list_dir": "limit [limit=2] c", "gemini/list_directory": "shown [] c", "forge/list_directory": "limit [max_entries=2] c",
			"toolkit/tree": "limit [max_entries=3] c", "codex/read_file": "kind [a directory] c",
		}},
		{gander.Options{ListDir: gander.ListDir{Limit: 2}, Tree: gander.Tree{MaxEntries: 3}, ForgeListDirectory: gander.ForgeListDirectory{MaxEntries: 2}}, "b", map[string]string{
			"codex/list_dir": "shown [] b", "gemini/list_directory": "shown [] b", "forge/list_directory": "shown [] b",
			"toolkit/tree": "shown [] b", "codex/read_file": "kind [a directory] b",
		}},
		{gander.Options{Limits: gander.Limits{MaxOutputBytes: 100}}, "d", map[string]string{
			"codex/list_dir": "shown [] d", "gemini/list_directory": "shown [] d", "forge/list_directory": "limit [max_output_bytes=100] d",
			"toolkit/tree": "limit [max_output_bytes=100] d", "codex/read_file": "kind [a directory] d",
		}},
		{gander.Options{Limits: gander.Limits{MaxOutputBytes: 20}}, "d", map[string]string{
			"codex/list_dir": "limit [max_output_bytes=20] d", "gemini/list_directory": "limit [max_output_bytes=20] d", "forge/list_directory": "limit [max_output_bytes=20] d",
			"toolkit/tree": "limit [max_output_bytes=20] d", "codex/read_file": "kind [a directory] d",
		}},
		{gander.Options{
			Tree: gander.Tree{MaxDepth: new(int)}, ForgeListDirectory: gander.ForgeListDirectory{OmitDirs: true},
			Policy: tool.Policy{Deny: []string{"codex"}, Prompt: []string{"gemini"}}, Sandbox: gander.Sandbox{RelativeOnly: true},
		}, "d", map[string]string{
			"codex/list_dir": "denied [the policy does not allow codex/list_dir]", "codex/read_file": "denied [the policy does not allow codex/read_file]",
			"gemini/list_directory": "denied [the policy wants gemini/list_directory approved, and nobody is there to ask]",
			"forge/list_directory":  "kind [include_dirs=false] d", "toolkit/tree": "depth [max_depth=0] .",
		}},
		{gander.Options{ListDir: gander.ListDir{Limit: 3}, Tree: gander.Tree{MaxEntries: 4}, ForgeListDirectory: gander.ForgeListDirectory{MaxEntries: 3}}, "d/1/2/3", map[string]string{
			"codex/list_dir": "limit [limit=3] d/1", "gemini/list_directory": "depth [one directory a call] d/1/2", "forge/list_directory": "limit [max_entries=3] d",
			"toolkit/tree": "limit [max_entries=4] d/1/2", "codex/read_file": "kind [a directory] d/1/2/3",
		}},
		{gander.Options{ForgeListDirectory: gander.ForgeListDirectory{OmitDirs: true}, Tools: []string{"forge"}}, "d/1", map[string]string{
			"forge/list_directory": "kind [include_dirs=false] d/1",
		}},
		{gander.Options{Tools: []string{"forge"}}, "d", map[string]string{"forge/list_directory": "shown [] d"}},
	} {
		c.options.Roots = []string{root}
		if len(c.options.Tools) == 0 {
			c.options.Tools = withoutGrep()
		}
		if diff := cmp.Diff(c.want, reasons(t, testkit.Open(t, c.options), c.path)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c.options, diff)
		}
	}
}

func TestWhyUnreadable(t *testing.T) {
	runner := unprivileged.NewRunner(t)
	runner.Run(t, func() {
		root := fixture.Make(t, "shut/x 0000", "shut/ 0000", "names/x", "names/ 0444", "pass/x", "pass/ 0111", "file 0000")
		toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: []string{"codex", "gemini", "forge", "toolkit"}})
		all := func(words string) map[string]string {
			return map[string]string{"codex/list_dir": words, "codex/grep_files": words, "gemini/list_directory": words, "forge/list_directory": words, "toolkit/tree": words}
		}
		for path, want := range map[string]map[string]string{
			"shut/x": all("unreadable [permission denied] shut"),
			"pass/x": all("unreadable [permission denied] pass"),
			"names/x": {
				"codex/list_dir": "shown [] names/x", "codex/grep_files": "unreadable [permission denied] names/x",
				"gemini/list_directory": "unreadable [its directory cannot be searched] names/x",
				"forge/list_directory":  "depth [recursive=false] names", "toolkit/tree": "kind [entry_kind=directory] names/x",
			},
		} {
			got := reasons(t, toolset, path)
			delete(got, "codex/read_file")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", path, diff)
			}
		}
		if got := reasons(t, toolset, "file")["codex/read_file"]; got != "unreadable [permission denied] file" {
			t.Errorf("unreadable file: %s", got)
		}
		if got := reasons(t, toolset, "pass/x")["codex/read_file"]; got != "shown [] pass/x" {
			t.Errorf("file in a directory without names: %s", got)
		}
	})
}

// TestWhyIsAsListed: in random trees, Why says "shown" of exactly the entries that the tools list and read.
func TestWhyIsAsListed(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 6))
		root := fixture.Make(t, fixture.Random(r, 5+r.IntN(40), 4)...)
		if r.IntN(2) == 0 {
			ignore := strings.Join([]string{"a*", "!ab*", "b/", "/0*", "*.txt", "**/b"}[:r.IntN(7)], "\n")
			if os.Mkdir(filepath.Join(root, ".git"), 0o700) == nil {
				_ = os.WriteFile(filepath.Join(root, ".gitignore"), []byte(ignore), 0o600) // a random name may be in its place
			}
		}
		o := gander.Options{Roots: []string{root}, Tools: []string{"codex", "gemini", "forge", "toolkit"}}
		if r.IntN(2) == 0 {
			o.ListDir = gander.ListDir{Limit: 1 + r.IntN(30), Depth: 1 + r.IntN(4)}
			o.ForgeListDirectory = gander.ForgeListDirectory{MaxEntries: 1 + r.IntN(10), IncludeHidden: r.IntN(2) == 0, IncludeOther: r.IntN(2) == 0, OmitDirs: r.IntN(2) == 0}
			depth := r.IntN(5)
			o.Tree = gander.Tree{MaxDepth: &depth, MaxEntries: 1 + r.IntN(10), Exclude: []string{"**/a*"}}
		}
		if r.IntN(3) == 0 {
			o.Limits.MaxOutputBytes = 50 + r.IntN(600)
		}
		if r.IntN(3) == 0 {
			o.Sandbox.Deny = []string{"**/b*"}
		}
		compareWithAnswers(t, fmt.Sprint("seed ", seed), testkit.Open(t, o), root)
	}
}

func compareWithAnswers(t *testing.T, name string, toolset *gander.Toolset, root string) {
	want := map[string][]string{}
	for id, lines := range map[string]func(string) []string{
		"codex/list_dir": codexLines, "gemini/list_directory": geminiLines, "forge/list_directory": forgeLines, "toolkit/tree": toolkitLines,
	} {
		if result, failure := testkit.Call(t, toolset, id, map[string]string{testkit.PathArguments()[id]: root}); failure == nil {
			want[id] = lines(result.Text())
		}
	}
	got := map[string][]string{}
	err := filepath.WalkDir(root, func(full string, d fs.DirEntry, err error) error {
		if err != nil || full == root {
			return err
		}
		rel := strings.TrimPrefix(full, root+"/")
		all, err := toolset.Why(t.Context(), rel)
		if err != nil {
			return err
		}
		for _, r := range all {
			if shown := r.Cause == "shown"; r.Tool == "codex/read_file" {
				if _, failure := testkit.Call(t, toolset, r.Tool, map[string]string{"file_path": full}); shown != (failure == nil) && text.Lossy([]byte(full)) == full {
					t.Errorf("%s: %q is %s [%s] of %s; reading it: %v", name, rel, r.Cause, r.Rule, r.At, failure)
				}
			} else if shown {
				got[r.Tool] = append(got[r.Tool], line(r.Tool, rel, full))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, lists := range []map[string][]string{want, got} {
		for id := range lists {
			slices.Sort(lists[id])
		}
	}
	for _, id := range []string{"codex/list_dir", "gemini/list_directory", "forge/list_directory", "toolkit/tree"} {
		if diff := cmp.Diff(append([]string{}, want[id]...), append([]string{}, got[id]...)); diff != "" {
			t.Errorf("%s: %s (-listed +shown):\n%s", name, id, diff)
		}
	}
}

// line returns the name of an entry as the answer of a tool has it.
func line(id, rel, full string) string {
	name := text.Lossy([]byte(path.Base(rel)))
	switch id {
	case "codex/list_dir":
		return strings.Repeat("  ", strings.Count(rel, "/")) + text.Escape(text.Cut(name, 500))
	case "gemini/list_directory":
		return text.Escape(name)
	default:
		return text.Lossy([]byte(rel))
	}
}

func codexLines(content string) []string {
	var names []string
	for _, l := range strings.Split(content, "\n")[1:] {
		if strings.HasPrefix(l, "More than ") || strings.HasPrefix(l, "Could not read ") || strings.HasPrefix(l, "[gander: ") {
			continue
		}
		names = append(names, strings.TrimRight(l, "/@?"))
	}
	return names
}

func geminiLines(content string) []string {
	var names []string
	for _, l := range strings.Split(content, "\n")[1:] {
		if l != "" && !strings.HasSuffix(l, " ignored)") && !strings.HasPrefix(l, "[gander: ") {
			names = append(names, strings.TrimPrefix(l, "[DIR] "))
		}
	}
	return names
}

func forgeLines(content string) []string {
	var document struct{ Entries []struct{ Path string } }
	if err := json.Unmarshal([]byte(content), &document); err != nil {
		panic(err)
	}
	var paths []string
	for _, e := range document.Entries {
		paths = append(paths, e.Path)
	}
	return paths
}

func toolkitLines(content string) []string {
	type node struct {
		Path     string
		Children []node
	}
	var document struct{ Root node }
	if err := json.Unmarshal([]byte(content), &document); err != nil {
		panic(err)
	}
	var paths []string
	var add func(nodes []node)
	add = func(nodes []node) {
		for _, n := range nodes {
			paths = append(paths, n.Path)
			add(n.Children)
		}
	}
	add(document.Root.Children)
	return paths
}

// TestWhyIsAsGitSays: Why names the same rules as git check-ignore -v does.
func TestWhyIsAsGitSays(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("needs git to compare with: ", err)
	}
	patterns := strings.Split("a b ab *.log /a /b/ a/b **/b a/** !a !ab !*.log *b [ab] foo/ foo/bar */a \\!x a?", " ")
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 7))
		var entries []string
		for range 30 {
			name := ""
			for range 1 + r.IntN(3) {
				name = path.Join(name, strings.Split("a b ab c.log foo bar x", " ")[r.IntN(7)])
			}
			entries = append(entries, name+"/end")
		}
		root := fixture.Make(t, entries...)
		for _, dir := range []string{".", "a", "foo", "a/b", ".git/info"} {
			if info, err := os.Stat(filepath.Join(root, dir)); dir != ".git/info" && (err != nil || !info.IsDir()) {
				continue
			}
			var rules strings.Builder
			for range 1 + r.IntN(4) {
				rules.WriteString(patterns[r.IntN(len(patterns))] + "\n")
			}
			file := filepath.Join(root, dir, ".gitignore")
			if dir == ".git/info" {
				git(t, root, "", "init", "-q")
				file = filepath.Join(root, ".git/info/exclude")
			}
			if err := os.WriteFile(file, []byte(rules.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		compareWithGit(t, fmt.Sprint("seed ", seed), root)
	}
}

func compareWithGit(t *testing.T, name, root string) {
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: []string{"gemini"}})
	var paths []string
	err := filepath.WalkDir(root, func(full string, d fs.DirEntry, err error) error {
		rel := strings.TrimPrefix(strings.TrimPrefix(full, root), "/")
		switch {
		case err != nil || rel == "":
			return err
		case rel == ".git":
			return fs.SkipDir
		}
		paths = append(paths, rel)
		return nil
	})
	testkit.Must(t, err)
	// For each path git prints a line: the rule, empty if none matches, a tab and the path.
	lines := strings.Split(git(t, root, strings.Join(paths, "\n"), "check-ignore", "-v", "-n", "--no-index", "--stdin"), "\n")
	for i, rel := range paths {
		rule, _, _ := strings.Cut(lines[i], "\t")
		parts := strings.SplitN(rule, ":", 3)
		ignored := rule != "::" && !strings.HasPrefix(parts[2], "!")
		all, err := toolset.Why(t.Context(), rel)
		testkit.Must(t, err)
		if got := all[0]; ignored != (got.Cause == "ignored") || ignored && got.Rule != rule {
			t.Errorf("%s: %s is %s by %q, to git by %q", name, rel, got.Cause, got.Rule, rule)
		}
	}
}

// git runs git without the configuration of the user and the system, and returns its output.
func git(t *testing.T, dir, input string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "core.ignorecase=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/nowhere", "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull}
	cmd.Stdin = strings.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && (args[0] != "check-ignore" || cmd.ProcessState.ExitCode() != 1) { // 1: nothing is ignored
		t.Fatalf("git %q: %v\n%s", args, err, &stderr)
	}
	return string(out)
}
