package conformance

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gander"
	"gander/codex"
	"gander/filesystem"
	"gander/forge"
	"gander/gemini"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/internal/testkit/unprivileged"
	"gander/tool"
	"gander/toolkit"
)

// vectorFiles is embedded because the process of another user may be unable to read the files.
//
//go:embed testdata/vectors/*.json
var vectorFiles embed.FS

// ownVectors is the file with the vectors of the native tools.
const ownVectors = "testdata/vectors/gander.json"

// minCases is the number of vectors. It must not decrease, to detect lost cases.
const minCases = 1017

var update = flag.Bool("update", false, "record the vectors of gander's own tools; test nothing")

// A vectorFile holds cases, usually of one tool.
type vectorFile struct {
	name string // without its directory and suffix

	Tool       string
	Definition map[string]json.RawMessage // the published definition, if known
	Fixtures   map[string][]fixture.Item
	Cases      []json.RawMessage

	Source, About json.RawMessage // notes
	ConfigKeys    json.RawMessage `json:"config_keys"`
}

// A vector is a call and its expected outcome.
type vector struct {
	Name, Tool, Fixture string
	Args                json.RawMessage
	Config              config
	Expect              expect
	NeedsUnprivileged   bool            `json:"needs_unprivileged"` // file permissions must apply
	Original            json.RawMessage // outcome of the original if different; not checked
}

// A config holds the differences from the default settings.
type config struct {
	MaxOutputBytes          *int     `json:"max_output_bytes"`
	AvailableCapacityBytes  *int     `json:"available_capacity_bytes"`
	WorkspaceRoot           string   `json:"workspace_root"`
	AdditionalWorkspaceDirs []string `json:"additional_workspace_dirs"`
	RespectGitIgnore        *bool    `json:"respect_git_ignore"`
	RespectGeminiIgnore     *bool    `json:"respect_gemini_ignore"`
	Home                    string   // home directory
	ClientRoots             []string `json:"client_roots"` // URIs of the roots of an MCP client
	Sandbox                 struct {
		AllowAbsolute *bool `json:"allow_absolute"`
	}
	ListDirectory struct {
		MaxEntries      int   `json:"max_entries"`
		MaxDepth        int   `json:"max_depth"`
		IncludeHidden   bool  `json:"include_hidden_default"`
		IncludeOther    bool  `json:"include_other_default"`
		IncludeFiles    *bool `json:"include_files_default"`
		IncludeDirs     *bool `json:"include_dirs_default"`
		IncludeSymlinks *bool `json:"include_symlinks_default"`
	} `json:"list_directory"`
}

// parseVectors decodes a file of vectors.
func parseVectors(t testing.TB, data []byte) (f vectorFile) {
	t.Helper()
	testkit.Must(t, strict(data, &f))
	return f
}

// strict decodes one JSON value and rejects unknown keys.
func strict(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the value")
	}
	return nil
}

// allVectors returns all vector files.
func allVectors(t testing.TB) (files []vectorFile) {
	t.Helper()
	names, err := fs.Glob(vectorFiles, "testdata/vectors/*.json")
	testkit.Must(t, err)
	n := 0
	for _, name := range names {
		data, err := vectorFiles.ReadFile(name)
		testkit.Must(t, err)
		f := parseVectors(t, data)
		f.name = strings.TrimSuffix(filepath.Base(name), ".json")
		files = append(files, f)
		n += len(f.Cases)
	}
	if n < minCases {
		t.Fatalf("got %d vectors, want at least %d", n, minCases)
	}
	return files
}

// build builds a fixture and returns its root. On Windows it leaves out what Windows lacks.
func (f vectorFile) build(t testing.TB, name string) (root string) {
	t.Helper()
	items, ok := f.Fixtures[name]
	if !ok {
		t.Fatalf("no fixture %q", name)
	}
	if onWindows {
		items, _ = windowsItems(items)
	}
	root = fixture.Build(t, items)
	checkOutsideRepositories(t, root)
	return root
}

func checkOutsideRepositories(t testing.TB, dir string) {
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Dir(dir) + "/.git"); err == nil {
			t.Fatalf("%s is in a git repository; set TMPDIR to a directory outside", dir)
		}
	}
}

// parse decodes a case and replaces ${ROOT} with root, which has slashes on every system.
func (f vectorFile) parse(t testing.TB, text []byte, root string) (v vector) {
	t.Helper()
	root = filepath.ToSlash(root)
	quoted, err := json.Marshal(root)
	testkit.Must(t, err)
	if filepath.VolumeName(root) != "" {
		text = bytes.ReplaceAll(text, []byte("file://${ROOT}"), []byte("file:///${ROOT}"))
	}
	text = bytes.ReplaceAll(text, []byte("${ROOT}"), quoted[1:len(quoted)-1])
	testkit.Must(t, strict(text, &v))
	if v.Name == "" || v.Expect.OK == nil {
		t.Fatalf("a name or expect.ok is missing in %s", text)
	}
	v.Tool = cmp.Or(v.Tool, f.Tool)
	if len(v.Args) > 0 { // MCP over stdio needs one line
		var args bytes.Buffer
		testkit.Must(t, json.Compact(&args, v.Args))
		v.Args = args.Bytes()
	}
	return v
}

// TestVectors checks the outcome of every vector, through the Go API and over MCP. On Windows it
// leaves out vectors that cannot hold there.
func TestVectors(t *testing.T) {
	if *update {
		record(t)
		return
	}
	runner := unprivileged.NewRunner(t)
	omitted := newOmitter(t)
	for _, f := range allVectors(t) {
		type group struct { // of cases with one fixture
			fixture      string
			unprivileged bool
		}
		groups, reasons := map[group][]json.RawMessage{}, map[string]string{}
		for _, text := range f.Cases {
			v := f.parse(t, text, "")
			g := group{v.Fixture, v.NeedsUnprivileged}
			groups[g] = append(groups[g], text)
			if onWindows {
				reasons[v.Tool+"/"+v.Name] = omitted.reason(t, v, text, f.Fixtures[v.Fixture])
			}
		}
		for g, cases := range groups {
			run := func(t *testing.T) {
				root := f.build(t, g.fixture)
				for _, text := range cases {
					v := f.parse(t, text, root)
					t.Run(v.Tool+"/"+v.Name, func(t *testing.T) {
						if reason := reasons[v.Tool+"/"+v.Name]; reason != "" {
							t.Skip("left out on Windows: ", reason)
						}
						v.check(t, root)
					})
				}
			}
			if g.unprivileged && !onWindows {
				t.Run(f.name+"/unprivileged/"+g.fixture, func(t *testing.T) {
					runner.Run(t, func() { run(t) })
				})
			} else {
				t.Run(f.name+"/"+g.fixture, run)
			}
		}
	}
}

func (v vector) check(t *testing.T, root string) {
	c := v.open(t, root)
	result, err := c.call(t, tool.Call{Args: v.Args, Budget: v.budget()})
	if onWindows {
		result, err = slashedOutcome(result, err, root)
		c.content = []byte(slashed(string(c.content), root))
		c.structured = []byte(slashed(string(c.structured), root))
	}
	err = v.Expect.check(result, err)
	if err := cmp.Or(err, v.Expect.checkSent(c.content, c.structured)); err != nil {
		t.Errorf("%s of %s: %v", v.Tool, v.Args, err)
	}
}

// open opens the tool with the default settings of vectors and the config of the case.
func (v vector) open(t testing.TB, root string) *client {
	t.Helper()
	if home := v.Config.Home; home != "" {
		t.Setenv("HOME", home)
		t.Setenv("USERPROFILE", home)
	}
	root = cmp.Or(v.Config.WorkspaceRoot, root)
	roots := append([]string{root}, v.Config.AdditionalWorkspaceDirs...)
	if strings.HasPrefix(v.Tool, "filesystem/") { // the original drops everything else
		roots = slices.DeleteFunc(roots, func(dir string) bool {
			info, err := os.Stat(dir)
			return err != nil || !info.IsDir()
		})
	}
	list := v.Config.ListDirectory
	return openClient(t, v.Tool, v.Config.ClientRoots, gander.Options{
		Roots:         roots,
		Tools:         []string{v.Tool},
		NoDefaultDeny: true,
		Limits:        gander.Limits{MaxOutputBytes: -1, Timeout: -1},
		Sets: []gander.Set{
			codex.Tools(codex.Options{VerbatimNames: true}),
			gemini.Tools(gemini.Options{
				RespectGitIgnore:    v.Config.RespectGitIgnore,
				RespectGeminiIgnore: v.Config.RespectGeminiIgnore,
				VerbatimNames:       true,
			}),
			forge.Tools(forge.Options{
				MaxEntries:             list.MaxEntries,
				MaxDepth:               list.MaxDepth,
				IncludeHiddenDefault:   list.IncludeHidden,
				IncludeSymlinksDefault: list.IncludeSymlinks,
				IncludeFilesDefault:    list.IncludeFiles,
				IncludeDirsDefault:     list.IncludeDirs,
				IncludeOtherDefault:    list.IncludeOther,
				AllowAbsolute:          v.Config.Sandbox.AllowAbsolute,
			}),
			toolkit.Tools(toolkit.Options{}),
			filesystem.Tools(filesystem.Options{VerbatimNames: true}),
		},
	})
}

func (v vector) budget() tool.Budget {
	return tool.Budget{
		MaxOutputBytes: v.Config.MaxOutputBytes, AvailableBytes: v.Config.AvailableCapacityBytes,
	}
}

// record writes the current contents and messages of the cases of the native tools. If the kind of
// an outcome has changed, it fails the test. Such a case must be edited by hand.
func record(t *testing.T) {
	data, err := vectorFiles.ReadFile(ownVectors)
	testkit.Must(t, err)
	f := parseVectors(t, data)
	for _, text := range f.Cases {
		root := f.build(t, f.parse(t, text, "").Fixture)
		v := f.parse(t, text, root)
		result, err := v.open(t, root).call(t, tool.Call{Args: v.Args, Budget: v.budget()})
		key, got := "content", result.Text()
		if failure, ok := errors.AsType[*tool.Error](err); ok {
			key, got = "message", failure.Message
		}
		var written struct{ Expect map[string]json.RawMessage }
		testkit.Must(t, json.Unmarshal(text, &written))
		if written.Expect[key] == nil {
			t.Errorf("%s: got an unexpected %s: %s", v.Name, key, got)
		} else if v.Expect.check(result, err) != nil {
			quoted := tooltest.CanonicalJSON(t, strings.ReplaceAll(got, root, "${ROOT}"))
			begin := bytes.LastIndex(text, []byte(`"expect":`))
			changed := bytes.Replace(text[begin:], written.Expect[key], []byte(quoted), 1)
			data = bytes.Replace(data, text, append(text[:begin:begin], changed...), 1)
		}
	}
	testkit.Must(t, os.WriteFile(ownVectors, data, 0o644))
}
