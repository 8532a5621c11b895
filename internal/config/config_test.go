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
	"github.com/rogpeppe/go-internal/txtar"

	"gander"
	"gander/codex"
	"gander/forge"
	"gander/gemini"
	"gander/internal/audit"
	"gander/internal/testkit/fixture"
	"gander/shell"
	"gander/tool"
	"gander/toolkit"
)

func parseText(text string) (*reader, error) {
	first := func(_ string, words []string) []string { return words[:1] }
	return parse("c.toml", []byte(text), first)
}

// TestEveryKey sets every key to a value that is not its default.
func TestEveryKey(t *testing.T) {
	text := Example()
	for _, change := range []string{
		"true|no", "false|true", "no|false", `[]|["codex"]`, `"10s"|"1m30s"`, "0\n|4\n", "12\n|10\n",
		"102400|1_000", "40000|0x10", "33554432|0", "2000|1000", "25\n|5\n", "64|3",
	} {
		from, to, _ := strings.Cut(change, "|")
		if !strings.Contains(text, "= "+from) {
			t.Fatalf("the example lacks %q", from)
		}
		text = strings.ReplaceAll(text, "= "+from, "= "+to)
	}
	got, err := parseText(text)
	fixture.Must(t, err)
	words := []string{"codex"}
	want := settings{
		Options: gander.Options{
			Deny:   words,
			Policy: tool.Policy{Allow: words, Deny: words, Prompt: words},
			Limits: gander.Limits{
				MaxOutputBytes: 1000, MaxDataBytes: 5 << 20, Timeout: 90 * time.Second,
				CacheBytes: -1, MaxConcurrentCalls: 3,
			},
			MaxChars: 16,
		},
		IncludeDefaultDenies: new(false), VerbatimNames: true,
		Codex: codex.Options{
			ListDir: codex.ListDirOptions{Limit: 5, Depth: 2, MaxLimit: 4, MaxDepth: 4},
			ReadFile: codex.ReadFileOptions{
				Limit: 1000, MaxLimit: 4, MaxLevels: new(4), IncludeSiblings: true, IncludeHeader: true,
			},
			GrepFiles: codex.GrepFilesOptions{Limit: 100, MaxLimit: 1000},
		},
		Gemini: gemini.Options{RespectGitIgnore: new(false), RespectGeminiIgnore: new(false)},
		Forge: forge.Options{
			MaxEntries: 200, MaxDepth: 4, IncludeHiddenDefault: true, IncludeOtherDefault: true,
			IncludeFilesDefault: new(false), IncludeDirsDefault: new(false),
			IncludeSymlinksDefault: new(false), AllowAbsolute: new(false),
		},
		Shell: shell.Options{MaxBytes: 30000},
		Audit: audit.Options{Bytes: 64 << 20, Required: true},
		Toolkit: toolkit.Options{
			MaxDepth: new(3), MaxEntries: 100, DepthCap: new(10), EntriesCap: 1000, Exclude: words,
			IncludeDefaultExcludes: new(false),
		},
	}
	if diff := cmp.Diff(want, got.settings); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
	for name, k := range new(settings).keys() {
		dot := strings.LastIndexByte(name, '.')
		_, rest, ok := strings.Cut(Example(), "["+name[:max(dot, 0)]+"]")
		if !k.isTable() && (!ok || !strings.Contains(rest, "\n"+name[dot+1:]+" = ")) {
			t.Errorf("the example lacks %s", name)
		}
	}
}

func TestForms(t *testing.T) {
	entries := settings{Toolkit: toolkit.Options{MaxEntries: 5}}
	noTimeout := settings{Options: gander.Options{Limits: gander.Limits{Timeout: -1}}}
	for text, want := range map[string]settings{
		"# nothing\n":                               {},
		"[toolkit]\n[toolkit.tree]\n":               {},
		"[toolkit.tree]\nmax_entries = 5":           entries,
		"toolkit = {tree = {max_entries = 5}}":      entries,
		"[\"toolkit\".'tree']\r\nmax_entries = 5\n": entries,
		"limits.timeout = 0":                        noTimeout,
		`limits.timeout = "0s"`:                     noTimeout,
		"limits.max_output_bytes = 0": {
			Options: gander.Options{Limits: gander.Limits{MaxOutputBytes: -1}},
		},
		"toolkit.tree.max_depth = 0": {
			Toolkit: toolkit.Options{MaxDepth: new(0)},
		},
	} {
		r, err := parseText(text)
		if diff := cmp.Diff(want, r.settings); diff != "" || err != nil {
			t.Errorf("%q: %v, options (-want +got):\n%s", text, err, diff)
		}
	}
}

// TestProblems checks the error for each file of an archive.
func TestProblems(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/problems.txtar")
	fixture.Must(t, err)
	for _, file := range append(archive.Files, txtar.File{Name: "1:3: ", Data: []byte("# \xff")}) {
		_, err := parseText(string(file.Data))
		if err == nil {
			t.Fatalf("%q has no problem", file.Data)
		}
		got, want := err.Error(), "c.toml:"+file.Name
		if got != want && (len(want) > len("c.toml:1:20:") || !strings.HasPrefix(got, want)) {
			t.Errorf("%q: %s\nwant %s", file.Data, got, want)
		}
	}
}

// TestLocate opens toolsets with options that are wrong only in combination, or for a tool.
func TestLocate(t *testing.T) {
	for text, want := range map[string]string{
		"policy.deny = ['codex',\n 'codex/read']": `2:2: policy deny: unknown tool "codex/read"; `,
		"sandbox.deny = ['x', '[a']":              `1:22: deny pattern "[a": `,
		"sandbox.deny = ['x', '']":                `1:22: deny pattern "": `,
		"[toolkit.tree]\nexclude = ['*', '[']":    `2:17: toolkit.tree.exclude: the brackets `,
		"toolkit.tree.depth_cap = 1": "1:1: toolkit.tree.max_depth is 3; " +
			"it must be from 0 to 1, the value of toolkit.tree.depth_cap",
		"[codex.list_dir]\nmax_limit = 5\nlimit = 6": "3:1: codex.list_dir.limit is 6; " +
			"it must be from 1 to 5, the value of codex.list_dir.max_limit",
	} {
		r, err := parseText(text)
		fixture.Must(t, err)
		_, err = gander.Open(r.settings.options())
		if got := r.file().Locate(err).Error(); !strings.HasPrefix(got, "c.toml:"+want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestLocateOthers checks that a file is not blamed for values that it does not have.
func TestLocateOthers(t *testing.T) {
	r, err := parseText("sandbox.deny = ['x']")
	fixture.Must(t, err)
	for _, pattern := range []string{"[a", ""} {
		o := r.settings.options()
		o.Deny = append(o.Deny, pattern)
		_, err := gander.Open(o)
		if err == nil || r.file().Locate(err) != err {
			t.Errorf("%q: %v", pattern, r.file().Locate(err))
		}
	}
	if err := errors.New("root gone"); r.file().Locate(err) != err {
		t.Error(r.file().Locate(err))
	}
}

func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gander.toml")
	if _, err := Load(path, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	for text, want := range map[string]string{
		"[output]\nlimit = 1\n[limits]\ndeny = 2\n": path + `:2:1: unknown key "output.limit"; did you ` +
			"mean codex.grep_files.limit or codex.list_dir.limit or codex.read_file.limit?\n" +
			path + `:4:1: unknown key "limits.deny"; did you mean policy.deny or sandbox.deny?`,
		"[output]\nverbatim_names = true": "",
		strings.Repeat("# a\n", 64<<10+1): "cannot read the configuration: " + path +
			" is larger than 262144 bytes",
	} {
		fixture.Must(t, os.WriteFile(path, []byte(text), 0o600))
		f, err := Load(path, nil)
		isLoaded := err == nil && len(f.Options.Sets) > 0
		if want == "" && !isLoaded || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
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
	positioned := regexp.MustCompile(`\A(c\.toml(:[0-9]+:[0-9]+)?: [^\n]+(\n|\z))+\z`)
	f.Fuzz(func(t *testing.T, text string) {
		file, err := parseText(text)
		if err != nil {
			if !positioned.MatchString(err.Error()) {
				t.Errorf("error %q", err)
			}
			return
		}
		o := file.settings
		if min(o.Limits.MaxConcurrentCalls, o.Toolkit.MaxEntries, o.Codex.ListDir.Limit) < 0 {
			t.Errorf("out of range: %+v", o)
		}
	})
}
