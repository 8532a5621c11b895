package config

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gander"
	"gander/tool"
)

// read parses a document and returns its first problem.
func read(text string) (gander.Options, error) {
	o, problems := parse("c.toml", []byte(text))
	if len(problems) > 0 {
		return o, problems[0]
	}
	return o, nil
}

// TestEveryKey sets every key to a value that is not its default.
func TestEveryKey(t *testing.T) {
	text := Example()
	for _, change := range [][2]string{
		{"= true", "= no"},
		{"= false", "= true"},
		{"= no", "= false"},
		{"= []", `= ["codex"]`},
		{`"10s"`, `"1m30s"`},
		{"= 0\n", "= 4\n"},
		{"= 12\n", "= 10\n"},
		{"= 102400", "= 1_000"},
		{"= 40000", "= 0x10"},
		{"= 33554432", "= 0"},
		{"= 2000", "= 1000"},
		{"= 25\n", "= 5\n"},
		{"max_calls = 64", "max_calls = 3"},
	} {
		if !strings.Contains(text, change[0]) {
			t.Fatalf("the example lacks %q", change[0])
		}
		text = strings.ReplaceAll(text, change[0], change[1])
	}
	got, err := read(text)
	if err != nil {
		t.Fatal(err)
	}
	words := []string{"codex"}
	want := gander.Options{
		NoDefaultDeny: true,
		Deny:          words,
		Policy:        tool.Policy{Allow: words, Deny: words, Prompt: words},
		Limits: gander.Limits{
			MaxOutputBytes: 1000, MaxDataBytes: 5 << 20, Timeout: 90 * time.Second,
			CacheBytes: -1, MaxConcurrentCalls: 3,
		},
		VerbatimNames: true,
		MaxChars:      16,
		CodexListDir:  gander.CodexListDirOptions{Limit: 5, Depth: 2, MaxLimit: 4, MaxDepth: 4},
		CodexReadFile: gander.CodexReadFileOptions{
			Limit: 1000, MaxLimit: 4, MaxLevels: new(4), IncludeSiblings: true, IncludeHeader: true,
		},
		CodexGrepFiles: gander.CodexGrepFilesOptions{Limit: 100, MaxLimit: 1000},
		GeminiListDirectory: gander.GeminiListDirectoryOptions{
			NoGitIgnore: true, NoGeminiIgnore: true,
		},
		ForgeListDirectory: gander.ForgeListDirectoryOptions{
			MaxEntries: 200, MaxDepth: 4, IncludeHidden: true, IncludeOther: true,
			OmitFiles: true, OmitDirs: true, OmitSymlinks: true, RelativeOnly: true,
		},
		ToolkitTree: gander.ToolkitTreeOptions{
			MaxDepth: new(3), MaxEntries: 100, DepthCap: new(10), EntriesCap: 1000, Exclude: words,
			NoDefaultExcludes: true,
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
	for _, key := range Keys() {
		dot := strings.LastIndexByte(key, '.')
		_, rest, ok := strings.Cut(Example(), "["+key[:dot]+"]")
		if !ok || !strings.Contains(rest, "\n"+key[dot+1:]+" = ") {
			t.Errorf("the example lacks %s", key)
		}
	}
}

func TestForms(t *testing.T) {
	entries := func(o gander.Options) int { return o.ToolkitTree.MaxEntries }
	timeout := func(o gander.Options) int { return int(o.Limits.Timeout) }
	for _, c := range []struct {
		text string
		get  func(gander.Options) int
		want int
	}{
		{"# nothing\n", entries, 100},
		{"[toolkit]\n[toolkit.tree]\n", entries, 100},
		{"toolkit = {tree = {max_entries = 5}}", entries, 5},
		{"[\"toolkit\".'tree']\r\nmax_entries = 5\r\n", entries, 5},
		{"limits.timeout = 0", timeout, -1},
		{`limits.timeout = "0s"`, timeout, -1},
		{
			"limits.max_output_bytes = 0",
			func(o gander.Options) int { return o.Limits.MaxOutputBytes }, -1,
		},
		{
			"toolkit.tree.max_depth = 0",
			func(o gander.Options) int { return *o.ToolkitTree.MaxDepth }, 0,
		},
	} {
		if o, err := read(c.text); err != nil || c.get(o) != c.want {
			t.Errorf("%q: %+v, %v", c.text, o, err)
		}
	}
}

func TestErrors(t *testing.T) {
	const (
		natural  = " must be an integer, at least 0"
		positive = " must be an integer, at least 1"
		timeout  = ` must be a duration such as "10s" or "1m30s", or 0 for no limit`
		list     = " must be an array of strings"
	)
	for text, want := range map[string]string{
		"[sandbox]\nallow_absolut = true":       `2:1: unknown key "sandbox.allow_absolut"`,
		"sandbox = {deny = [], nope = 1}":       `1:23: unknown key "nope"`,
		"\n[tools.list_dir]\nlimit = 1":         `2:2: unknown key "tools.list_dir"`,
		"root = '.'":                            `1:1: unknown key "root"`,
		"\"a\\nb\" = 1":                         `1:1: unknown key "a\nb"`,
		"sandbox = true":                        "1:11: sandbox must be a table",
		"[[sandbox]]\nallow_absolute = true":    "1:3: sandbox must be a table",
		"[sandbox]\n  allow_absolute = 'yes'":   "2:20: sandbox.allow_absolute must be true or false",
		"codex.list_dir.limit = 5.0":            "1:24: codex.list_dir.limit" + positive,
		"codex.list_dir.limit = 0":              "1:24: codex.list_dir.limit" + positive,
		"codex.list_dir.limit = [1]":            "1:24: codex.list_dir.limit" + positive,
		"codex.list_dir.limit = 'many'":         "1:24: codex.list_dir.limit" + positive,
		"codex.list_dir.max_limit = -1":         "1:28: codex.list_dir.max_limit" + natural,
		"limits.max_calls = '3'":                "1:20: limits.max_calls" + positive,
		"limits.max_calls = 0x8000000000000000": "1:20: limits.max_calls" + positive,
		"limits.max_output_bytes = -1": "1:27: limits.max_output_bytes" + positive +
			", or 0 for no limit",
		"policy.deny = ['a', 1]":          "1:21: policy.deny" + list,
		"policy.deny = 'a'":               "1:15: policy.deny" + list,
		"limits.timeout = 10":             "1:18: limits.timeout" + timeout,
		"limits.timeout = '-1s'":          "1:18: limits.timeout" + timeout,
		"limits.timeout = 2026-01-01":     "1:18: limits.timeout" + timeout,
		"[sandbox]\nallow_absolute = yes": "2:18: ",
		"[sandbox]\n[limits]\n[sandbox]":  "3:2: ",
		"[sandbox]\n# \xff":               "2:3: ",
	} {
		o, err := read(text)
		want = "c.toml:" + want
		isPrefix := strings.HasSuffix(want, ": ") && err != nil && strings.HasPrefix(err.Error(), want)
		if err == nil || err.Error() != want && !isPrefix {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
		if diff := cmp.Diff(gander.Options{}, o); diff != "" {
			t.Errorf("%q: options (-want +got):\n%s", text, diff)
		}
	}
}

func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gander.toml")
	if _, problems := Load(path); len(problems) != 1 || !errors.Is(problems[0], os.ErrNotExist) {
		t.Errorf("missing file: %v", problems)
	}
	for text, want := range map[string]string{
		"[output]\nverbatim_names = 1": path + ":2:18: output.verbatim_names must be true or false",
		"[output]\na = 1\n[limits]\nb = 2\n": path + `:2:1: unknown key "output.a"` + "\n" +
			path + `:4:1: unknown key "limits.b"`,
		"[output]\nverbatim_names = true": "",
		strings.Repeat("# a\n", 64<<10+1): "cannot read the configuration: " + path +
			" is larger than 262144 bytes",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		o, problems := Load(path)
		got := ""
		if err := errors.Join(problems...); err != nil {
			got = err.Error()
		}
		if got != want || o.VerbatimNames != (want == "") {
			t.Errorf("%.40q: %q, want %q", text, got, want)
		}
	}
}

func TestExampleIsEmbedded(t *testing.T) {
	data, err := os.ReadFile("../../gander.example.toml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(data), Example()); diff != "" {
		t.Errorf("example.toml differs from gander.example.toml (-top +here); copy it:\n%s", diff)
	}
}

func TestNameKey(t *testing.T) {
	for _, c := range []struct {
		o    gander.Options
		want string
	}{
		{
			gander.Options{ToolkitTree: gander.ToolkitTreeOptions{EntriesCap: 50}},
			"toolkit.tree.max_entries is 100; it must be from 1 to 50, " +
				"the value of toolkit.tree.entries_cap",
		},
		{
			gander.Options{CodexReadFile: gander.CodexReadFileOptions{MaxLevels: new(-1)}},
			"codex.read_file.max_levels is -1; it must be at least 0",
		},
	} {
		ts, err := gander.Open(c.o)
		if err == nil {
			ts.Close()
			t.Errorf("no error, not %s", c.want)
		} else if got := NameKey(err).Error(); got != c.want {
			t.Errorf("%s, not %s", got, c.want)
		}
	}
	if other := errors.New("another"); NameKey(other) != other || NameKey(nil) != nil {
		t.Error("another error changed")
	}
}

func FuzzFile(f *testing.F) {
	f.Add(Example())
	for _, seed := range []string{
		"", "a = 1", "[toolkit.tree]\nmax_depth = -1", "toolkit = {tree = {exclude = ['a', 'b']}}",
		"[[tools]]", "'' = 1", "limits.timeout = '1h'", "\xef\xbb\xbfa = 1", "[limits.max_calls]\nx = 1",
		"toolkit.tree.max_depth = 0x0_1", "\"\\u0000\".b = []", "[a]\n[a.b]\n[a]",
		"limits.max_calls = \"\\u0031\"", "limits.max_calls = nan",
	} {
		f.Add(seed)
	}
	positioned := regexp.MustCompile(`\Ac\.toml(:[0-9]+:[0-9]+)?: [^\n]+\z`)
	f.Fuzz(func(t *testing.T, text string) {
		o, err := read(text)
		if err != nil && !positioned.MatchString(err.Error()) {
			t.Errorf("error %q", err)
		}
		least := min(o.Limits.MaxConcurrentCalls, o.ToolkitTree.MaxEntries, o.CodexListDir.Limit)
		if err == nil && least < 1 {
			t.Errorf("out of range: %+v", o)
		}
	})
}
