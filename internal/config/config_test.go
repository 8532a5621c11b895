package config

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gander"
	"gander/tool"

	"github.com/google/go-cmp/cmp"
)

// parse reads a TOML document as Load reads a file.
func parse(name, text string) (gander.Options, error) {
	c := newConfig()
	wrong := c.readFile(name, []byte(text))
	if len(wrong) > 0 {
		return gander.Options{}, wrong[0]
	}
	return c.Options, nil
}

func TestFileSetsEveryKey(t *testing.T) {
	got, err := parse("all.toml", `
[sandbox]
allow_absolute = false
include_default_denies = false
deny = ["**/secret/**", '*.kdbx']
[policy]
allow = ["codex"]
deny = ["forge"]
prompt = ["toolkit/tree"]
[limits]
max_output_bytes = 1_000
timeout = "1m30s"
memory_bytes = 0
max_calls = 3
[output]
verbatim_names = true
[tools.list_dir]
limit = 1
depth = 2
max_limit = 3
max_depth = 4
[tools.read_file]
limit = 5
max_limit = 6
max_levels = 0
include_siblings = true
include_header = true
[tools.gemini_list_directory]
respect_git_ignore = false
respect_gemini_ignore = false
[tools.list_directory]
max_entries = 7
max_depth = 8
include_hidden_default = true
include_symlinks_default = false
include_files_default = false
include_dirs_default = false
include_other_default = true
[tools.tree]
max_depth = 0
max_entries = 9
depth_cap = 10
entries_cap = 11
exclude = ["tmp"]
include_default_excludes = false
`)
	if err != nil {
		t.Fatal(err)
	}
	want := gander.Options{
		Sandbox: gander.Sandbox{RelativeOnly: true, NoDefaultDenies: true, Deny: []string{"**/secret/**", "*.kdbx"}},
		Policy:  tool.Policy{Allow: []string{"codex"}, Deny: []string{"forge"}, Prompt: []string{"toolkit/tree"}},
		Limits:  gander.Limits{MaxOutputBytes: 1000, Timeout: 90 * time.Second, MemoryBytes: -1, MaxCalls: 3},
		Output:  gander.Output{VerbatimNames: true},
		ListDir: gander.ListDir{Limit: 1, Depth: 2, MaxLimit: 3, MaxDepth: 4},
		ReadFile: gander.ReadFile{
			Limit: 5, MaxLimit: 6, MaxLevels: new(0), IncludeSiblings: true, IncludeHeader: true,
		},
		GeminiListDirectory: gander.GeminiListDirectory{NoGitIgnore: true, NoGeminiIgnore: true},
		ForgeListDirectory: gander.ForgeListDirectory{
			MaxEntries: 7, MaxDepth: 8, IncludeHidden: true, IncludeOther: true,
			OmitFiles: true, OmitDirs: true, OmitSymlinks: true,
		},
		Tree: gander.Tree{
			MaxDepth: new(0), MaxEntries: 9, DepthCap: new(10), EntriesCap: 11,
			Exclude: []string{"tmp"}, NoDefaultExcludes: true,
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
}

func TestFileForms(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       gander.Options
	}{
		{"empty", "", gander.Options{}},
		{"comment only", "# nothing\n", gander.Options{}},
		{"empty tables", "[tools]\n[tools.tree]\n[limits]\n", gander.Options{}},
		{"no output limit", "limits.max_output_bytes = 0", gander.Options{Limits: gander.Limits{MaxOutputBytes: -1}}},
		{"no timeout", "limits.timeout = 0", gander.Options{Limits: gander.Limits{Timeout: -1}}},
		{"no timeout as text", `limits.timeout = "0s"`, gander.Options{Limits: gander.Limits{Timeout: -1}}},
		{"dotted in table", "[tools]\ntree.max_entries = 5", gander.Options{Tree: gander.Tree{MaxEntries: 5}}},
		{"inline table", "tools = {tree = {max_entries = 5}}", gander.Options{Tree: gander.Tree{MaxEntries: 5}}},
		{"quoted key", "[\"tools\".'tree']\nmax_entries = 5", gander.Options{Tree: gander.Tree{MaxEntries: 5}}},
		{"crlf", "[tools.tree]\r\nmax_entries = 5\r\n", gander.Options{Tree: gander.Tree{MaxEntries: 5}}},
		{"depth 0", "tools.tree.max_depth = 0", gander.Options{Tree: gander.Tree{MaxDepth: new(0)}}},
		{"defaults restated", "[sandbox]\nallow_absolute = true\n[tools.list_directory]\ninclude_files_default = true", gander.Options{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := parse("c.toml", c.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("options (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFileErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", "[sandbox]\nallow_absolut = true", "c.toml:2:1: unknown key sandbox.allow_absolut; known here: allow_absolute, include_default_denies, deny"},
		{"unknown key in braces", "sandbox = {deny = [], nope = 1}", "c.toml:1:23: unknown key sandbox.nope; known here: allow_absolute, include_default_denies, deny"},
		{"unknown table", "\n[tool.tree]\nmax_depth = 1", "c.toml:2:2: unknown key tool; known here: sandbox, policy, limits, output, tools, mcp"},
		{"unknown empty table", "[tools.list_files]", "c.toml:1:2: unknown key tools.list_files; known here: gander, list_dir, read_file, grep_files, gemini_list_directory, list_directory, tree"},
		{"unknown at the top", "root = '.'", "c.toml:1:1: unknown key root; known here: sandbox, policy, limits, output, tools, mcp"},
		{"other case", "[Sandbox]", "c.toml:1:2: unknown key Sandbox; known here: sandbox, policy, limits, output, tools, mcp"},
		{"quoted dot", "'sandbox.deny' = []", `c.toml:1:1: unknown key "sandbox.deny"; known here: sandbox, policy, limits, output, tools, mcp`},
		{"line feed in key", `"a\nb" = 1`, `c.toml:1:1: unknown key "a\nb"; known here: sandbox, policy, limits, output, tools, mcp`},
		{"key below a key", "[limits.max_calls]\nx = 1", "c.toml:1:2: limits.max_calls must be an integer from 1 to 65536, not a table"},
		{"string for boolean", "[sandbox]\n  allow_absolute = 'yes'", `c.toml:2:3: sandbox.allow_absolute must be true or false, not the string "yes"`},
		{"string for integer", "tools.list_dir.limit = '5'", `c.toml:1:1: tools.list_dir.limit must be an integer from 1, not the string "5"`},
		{"float for integer", "tools.list_dir.limit = 5.0", "c.toml:1:1: tools.list_dir.limit must be an integer from 1, not the float 5"},
		{"zero", "tools.list_dir.limit = 0", "c.toml:1:1: tools.list_dir.limit must be an integer from 1, not 0"},
		{"negative", "tools.list_dir.max_limit = -1", "c.toml:1:1: tools.list_dir.max_limit must be an integer from 0, not -1"},
		{"negative limit", "limits.max_output_bytes = -1", "c.toml:1:1: limits.max_output_bytes must be an integer from 1, or 0 for no limit, not -1"},
		{"above the specification", "tools.tree.depth_cap = 13", "c.toml:1:1: tools.tree.depth_cap must be an integer from 0 to 12, not 13"},
		{"too many", "tools.tree.max_entries = 1001", "c.toml:1:1: tools.tree.max_entries must be an integer from 1 to 1000, not 1001"},
		{"array for string list", "policy.deny = ['a', 1]", "c.toml:1:1: policy.deny must be an array of strings, not this array"},
		{"string for list", "policy.deny = 'a'", `c.toml:1:1: policy.deny must be an array of strings, not the string "a"`},
		{"number of seconds", "limits.timeout = 10", `c.toml:1:1: limits.timeout must be a time span such as "10s" or "1m30s", or 0 for no limit, not 10`},
		{"negative span", "limits.timeout = '-1s'", `c.toml:1:1: limits.timeout must be a time span such as "10s" or "1m30s", or 0 for no limit, not the string "-1s"`},
		{"no span", "limits.timeout = 'soon'", `c.toml:1:1: limits.timeout must be a time span such as "10s" or "1m30s", or 0 for no limit, not the string "soon"`},
		{"date", "limits.timeout = 2026-01-01", `c.toml:1:1: limits.timeout must be a time span such as "10s" or "1m30s", or 0 for no limit, not a date or time`},
		{"array of tables", "[[sandbox]]\nallow_absolute = true", "c.toml:1:3: sandbox must be a table, not this array"},
		{"value for table", "sandbox = true", "c.toml:1:1: sandbox must be a table, not true"},
		{"given twice", "[sandbox]\nallow_absolute = true\nallow_absolute = true", "c.toml:3:1: "},
		{"table twice", "[sandbox]\n[limits]\n[sandbox]", "c.toml:3:2: "},
		{"syntax", "[sandbox]\nallow_absolute = yes", "c.toml:2:18: "},
		{"not UTF-8", "[sandbox]\n# \xff", "c.toml:2:3: "},
		{"negative cache", "limits.memory_bytes = -1", "c.toml:1:1: limits.memory_bytes must be an integer from 1, or 0 for no cache, not -1"},
		{"float beyond all", "limits.max_calls = 1e400", `c.toml:1:20: unable to parse float: "1e400": value out of range`},
		{"unknown key of an unknown table", "limit.max_calls = 1", "c.toml:1:1: unknown key limit; known here: sandbox, policy, limits, output, tools, mcp"},
		{"unknown key of a known table", "tools.tree.depth.x = 1", "c.toml:1:1: unknown key tools.tree.depth; known here: max_depth, max_entries, depth_cap, entries_cap, exclude, include_default_excludes"},
		{"integer beyond 64 bits", "limits.max_calls = 99999999999999999999", "c.toml:1:20: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parse("c.toml", c.text)
			if err == nil {
				t.Fatal("no error")
			}
			if got := err.Error(); got != c.want && !(strings.HasSuffix(c.want, ": ") && strings.HasPrefix(got, c.want)) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gander.toml")
	if _, err := Load(Sources{File: path}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("missing file: %v", err)
	}
	if err := os.WriteFile(path, []byte("[output]\nverbatim_names = 1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(Sources{File: path}); err == nil || err.Error() != path+":2:1: output.verbatim_names must be true or false, not 1" {
		t.Errorf("wrong type: %v", err)
	}
	if err := os.WriteFile(path, []byte("[output]\nverbatim_names = true"), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := Load(Sources{File: path}); err != nil || !c.Options.Output.VerbatimNames {
		t.Errorf("got %+v, %v", c, err)
	}
	if err := os.WriteFile(path, bytes.Repeat([]byte("# a\n"), 64<<10+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(Sources{File: path}); err == nil || !strings.Contains(err.Error(), path+" is larger than 262144 bytes") {
		t.Errorf("large file: %v", err)
	}
}

const exampleFile = "../../gander.example.toml"

// The embedded example is the one at the top of the repository.
func TestExampleIsEmbedded(t *testing.T) {
	data, err := os.ReadFile(exampleFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(data), Example()); diff != "" {
		t.Errorf("example.toml differs from gander.example.toml (-top +here); copy it:\n%s", diff)
	}
}

// A test of the module's root checks the defaults that the example states.
func TestExampleStatesEveryKey(t *testing.T) {
	c := newConfig()
	if wrong := c.readFile("example", []byte(Example())); len(wrong) > 0 {
		t.Fatal(wrong)
	}
	for _, key := range Keys() {
		if _, ok := c.set[key]; !ok {
			t.Errorf("%s is missing", key)
		}
	}
	if c.MCP != (MCP{}) {
		t.Errorf("the example sets %+v, which is not the default", c.MCP)
	}
}

func TestNameKey(t *testing.T) {
	for _, c := range []struct {
		o    gander.Options
		want string
	}{
		{gander.Options{Tree: gander.Tree{EntriesCap: 50}}, "tools.tree.max_entries is 100; it must be from 1 to 50, the value of tools.tree.entries_cap"},
		{gander.Options{Tree: gander.Tree{MaxDepth: new(5), DepthCap: new(4)}}, "tools.tree.max_depth is 5; it must be from 0 to 4, the value of tools.tree.depth_cap"},
		{gander.Options{ListDir: gander.ListDir{MaxLimit: 10}}, "tools.list_dir.limit is 25; it must be from 1 to 10, the value of tools.list_dir.max_limit"},
		{gander.Options{ReadFile: gander.ReadFile{MaxLevels: new(-1)}}, "tools.read_file.max_levels is -1; it must be at least 0"},
		{gander.Options{ForgeListDirectory: gander.ForgeListDirectory{MaxDepth: -1}}, "tools.list_directory.max_depth is -1; it must be at least 1"},
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
	if strange := error(&gander.OptionError{Option: "Tree.Nothing"}); NameKey(strange) != strange {
		t.Error("an unknown option changed")
	}
}

func FuzzFile(f *testing.F) {
	f.Add(Example())
	for _, seed := range []string{
		"", "a = 1", "[tools.tree]\nmax_depth = -1", "tools = {tree = {exclude = ['a', 'b']}}", "[[tools]]", "'' = 1",
		"limits.timeout = '1h'", "\xef\xbb\xbfa = 1", "tools.tree.max_depth = 0x0_1", "\"\\u0000\".b = []", "[a]\n[a.b]\n[a]",
	} {
		f.Add(seed)
	}
	positioned := regexp.MustCompile(`\Ac\.toml(:[0-9]+:[0-9]+)?: [^\n]+\z`)
	f.Fuzz(func(t *testing.T, text string) {
		o, err := parse("c.toml", text)
		if err != nil && !positioned.MatchString(err.Error()) {
			t.Errorf("error %q", err)
		}
		if err == nil && (o.Limits.MaxCalls < 0 || o.Tree.MaxEntries > 1000 || o.ListDir.Limit < 0) {
			t.Errorf("out of range: %+v", o)
		}
	})
}
