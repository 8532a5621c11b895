package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"gander"
)

// here returns the platform of the test.
func here() target { return target{runtime.GOOS, runtime.GOARCH} }

// made makes a release for some platforms, and returns its directory.
func made(t *testing.T, targets ...target) string {
	t.Helper()
	var words []string
	for _, t := range targets {
		words = append(words, t.String())
	}
	dir := filepath.Join(t.TempDir(), "dist")
	err := run(t.Context(), []string{"-version", "1.2.3-rc.1", "-output", dir, "-targets", strings.Join(words, ","), "-name", "com.example.files/gander", "-url", "https://example.com/mcp", "-image", "docker.io/files/gander"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRelease(t *testing.T) {
	dir := made(t, here())
	r := release{version: "1.2.3-rc.1"}
	program := filepath.Join(dir, r.file(here(), filepath.Ext(here().program())))
	out, err := exec.Command(program, "--version").Output()
	if err != nil || string(out) != "gander 1.2.3-rc.1\n" {
		t.Errorf("%v: it says %q", err, out)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 5 {
		t.Errorf("%v: %v", err, files)
	}
	lines, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name() == "SHA256SUMS" {
			continue
		}
		sum, err := checksum(filepath.Join(dir, f.Name()))
		if err != nil || !strings.Contains(string(lines), sum+"  "+f.Name()+"\n") {
			t.Errorf("%v: SHA256SUMS lacks %s", err, f.Name())
		}
	}
	if err := run(t.Context(), []string{"-version", "1.2.3", "-output", dir}, io.Discard); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("into a directory that is not empty: %v", err)
	}
	t.Run("manual", func(t *testing.T) { checkManual(t, filepath.Join(dir, "gander-1.2.3-rc.1-manual.tar.gz")) })
	t.Run("bundle", func(t *testing.T) { checkBundle(t, filepath.Join(dir, r.file(here(), ".mcpb"))) })
	t.Run("entry", func(t *testing.T) {
		entry := checkEntry(t, filepath.Join(dir, "server.json"))
		sum, err := checksum(filepath.Join(dir, r.file(here(), ".mcpb")))
		if err != nil {
			t.Fatal(err)
		}
		want := []map[string]any{
			{"registryType": "oci", "identifier": "docker.io/files/gander:1.2.3-rc.1"},
			{"registryType": "mcpb", "identifier": "https://example.com/mcp/" + r.file(here(), ".mcpb"), "version": r.version, "fileSha256": sum},
		}
		for i, p := range entry.Packages {
			for key, value := range want[i] {
				if p[key] != value {
					t.Errorf("package %d: %s is %v, not %v", i, key, p[key], value)
				}
			}
		}
		if entry.Name != "com.example.files/gander" || entry.Version != r.version || len(entry.Packages) != 2 {
			t.Errorf("%+v", entry)
		}
	})
}

// checkManual: the archive has a page for the program and for a command, without a date, and completions.
func checkManual(t *testing.T, file string) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"man1/gander.1":          `.TH "GANDER" "1" "" "gander 1.2.3-rc.1" ""`,
		"man1/gander-mcp.1":      `.TH "GANDER-MCP" "1" "" "gander 1.2.3-rc.1" ""`,
		"bash-completion/gander": "complete -o default -F __start_gander gander",
		"zsh/_gander":            "#compdef gander",
	}
	files := tar.NewReader(z)
	for {
		header, err := files.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(files)
		part, named := want[header.Name]
		if err != nil || named && !strings.Contains(strings.ReplaceAll(string(text), `\-`, "-"), part) {
			t.Errorf("%s: %v, no %q in it\n%.300s", header.Name, err, part, text)
		}
		delete(want, header.Name)
	}
	if len(want) > 0 {
		t.Errorf("the manual lacks %q", want)
	}
}

// checkBundle unpacks a bundle and starts its server as a host does.
func checkBundle(t *testing.T, bundle string) {
	z, err := zip.OpenReader(bundle)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	dir := t.TempDir()
	if err := os.CopyFS(dir, z); err != nil {
		t.Fatal(err)
	}
	var m manifest
	if err := load(filepath.Join(dir, "manifest.json"), &m); err != nil {
		t.Fatal(err)
	}
	info, err := fs.Stat(z, m.Server.EntryPoint)
	if err != nil || info.Mode().Perm() != 0o755 {
		t.Fatalf("%v, %v", info, err)
	}
	if m.Version != "1.2.3-rc.1" || fmt.Sprint(m.Compatibility.Platforms) != "["+nodePlatform(runtime.GOOS)+"]" {
		t.Errorf("%+v", m)
	}
	command := strings.ReplaceAll(m.Server.Config.Command, "${__dirname}", dir)
	if err := os.Chmod(command, 0o755); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m.Tools, listed(t, command, m.arguments(t.TempDir()))); diff != "" {
		t.Errorf("tools (-manifest +server):\n%s", diff)
	}
}

// manifest is the part of a bundle's manifest that the tests use.
type manifest struct {
	Version     string
	Description string
	Server      struct {
		EntryPoint string `json:"entry_point"`
		Config     struct {
			Command string
			Args    []string
		} `json:"mcp_config"`
	}
	Tools         []described
	Compatibility struct{ Platforms []string }
	User          map[string]struct{ Default string } `json:"user_config"`
}

type described struct{ Name, Description string }

// arguments returns the arguments with which a host starts the server for dir.
func (m manifest) arguments(dir string) []string {
	var args []string
	for _, a := range m.Server.Config.Args {
		a = strings.ReplaceAll(a, "${user_config.directory}", dir)
		args = append(args, strings.ReplaceAll(a, "${user_config.tools}", m.User["tools"].Default))
	}
	return args
}

// listed starts a server and returns the tools that it lists.
func listed(t *testing.T, command string, args []string) []described {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command, args...)
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	var reply struct{ Result struct{ Tools []described } }
	if err := json.Unmarshal(bytes.TrimSpace(out), &reply); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return reply.Result.Tools
}

// TestManifest: bundles can be made from the manifest in the source, and it lists the tools that its default chooses.
func TestManifest(t *testing.T) {
	var m manifest
	if err := load("manifest.json", &m); err != nil {
		t.Fatal(err)
	}
	ts, err := gander.Open(gander.Options{Roots: []string{t.TempDir()}, Tools: strings.Split(m.User["tools"].Default, ",")})
	if err != nil {
		t.Fatal(err)
	}
	defer ts.Close()
	names := map[string]string{}
	for _, d := range ts.Definitions() {
		names[d.Name] = d.Description
	}
	for _, d := range m.Tools {
		if names[d.Name] != d.Description {
			t.Errorf("%s is %q, in the manifest %q", d.Name, names[d.Name], d.Description)
		}
		delete(names, d.Name)
	}
	if len(names) > 0 {
		t.Errorf("the manifest lacks %v", names)
	}
	if _, err := (release{version: "1.0.0"}).manifest("..", here()); err != nil {
		t.Error(err)
	}
}

// An entry is the part of server.json that the tests use.
type entry struct {
	Schema      string `json:"$schema"`
	Name        string
	Description string
	Version     string
	Packages    []map[string]any
}

// TestEntry: server.json, the manifest and the Dockerfile agree with each other and with the published schema.
func TestEntry(t *testing.T) {
	e := checkEntry(t, "../server.json")
	var m manifest
	if err := load("manifest.json", &m); err != nil {
		t.Fatal(err)
	}
	if e.Version != m.Version || e.Description != m.Description {
		t.Errorf("the manifest has version %q and description %q, server.json %q and %q", m.Version, m.Description, e.Version, e.Description)
	}
	data, err := os.ReadFile("../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	dockerfile := string(data)
	for _, want := range []string{
		`LABEL io.modelcontextprotocol.server.name="` + e.Name + `"`,
		`-ldflags "` + linkerFlags("$VERSION") + `"`,
		"-trimpath -buildvcs=false", "CGO_ENABLED=0",
	} {
		if !strings.Contains(dockerfile, want) {
			t.Errorf("the Dockerfile lacks %q", want)
		}
	}
	for _, argument := range []string{"TARGETOS", "TARGETARCH"} { // A default would take the place of what the builder sets.
		if !regexp.MustCompile(`(?m)^ARG ` + argument + `$`).MatchString(dockerfile) {
			t.Errorf("the Dockerfile does not take %s from the builder", argument)
		}
	}
	// The container's default arguments are those in server.json, without the choice of tools.
	var words []string
	for _, a := range e.Packages[0]["packageArguments"].([]any) {
		a := a.(map[string]any)
		name, _ := a["name"].(string)
		value, _ := a["value"].(string)
		if value == "" {
			value = a["default"].(string)
			if value != m.User["tools"].Default {
				t.Errorf("the tools by default are %q, in the manifest %q", value, m.User["tools"].Default)
			}
			continue
		}
		words = append(words, strings.Fields(name+" "+value)...)
	}
	var command []string
	found := regexp.MustCompile(`(?m)^CMD (\[.*\])$`).FindStringSubmatch(dockerfile)
	if found == nil || json.Unmarshal([]byte(found[1]), &command) != nil {
		t.Fatal("the Dockerfile has no CMD in JSON")
	}
	if diff := cmp.Diff(words, command); diff != "" {
		t.Errorf("arguments (-server.json +Dockerfile):\n%s", diff)
	}
}

// registry is the module of the MCP registry, which contains the published schemas.
const registry = "github.com/modelcontextprotocol/registry@v1.8.7"

// checkEntry validates a server.json against the schema that it names.
func checkEntry(t *testing.T, file string) entry {
	t.Helper()
	var e entry
	var value any
	if err := load(file, &e); err != nil {
		t.Fatal(err)
	}
	if err := load(file, &value); err != nil {
		t.Fatal(err)
	}
	revision := regexp.MustCompile(`/schemas/([0-9-]+)/server\.schema\.json$`).FindStringSubmatch(e.Schema)
	if revision == nil {
		t.Fatalf("$schema is %q", e.Schema)
	}
	cmd := exec.Command("go", "mod", "download", "-json", registry)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GO111MODULE=on")
	out, err := cmd.Output()
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("%v: %s", err, out)
		}
		t.Logf("%v: cannot download the schema; %s is not validated", err, file)
		return e
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := load(filepath.Join(module.Dir, "internal", "validators", "schemas", revision[1]+".json"), &schema); err != nil {
		t.Fatal(err)
	}
	if schema.ID != e.Schema {
		t.Errorf("the schema is %s, not %s", schema.ID, e.Schema)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(value); err != nil {
		t.Errorf("%s: %v", file, err)
	}
	// The validator must refuse something.
	broken := value.(map[string]any)
	broken["name"] = "no slash"
	if resolved.Validate(broken) == nil {
		t.Error("a name without a slash is accepted")
	}
	return e
}

// TestReproducible builds and packs twice, from two copies of the source in different directories and with separate caches, and
// compares the bytes. It takes a minute: it runs in continuous integration, and if GANDER_RELEASE is set.
func TestReproducible(t *testing.T) {
	if testing.Short() || os.Getenv("CI") == "" && os.Getenv("GANDER_RELEASE") == "" {
		t.Skip("building twice takes a minute; set GANDER_RELEASE=1 to run it")
	}
	r := release{version: "1.2.3"}
	var got [2]map[string]string
	for i, name := range []string{"one", "another place"} {
		source, cache, out := filepath.Join(t.TempDir(), name), t.TempDir(), t.TempDir()
		copySource(t, source)
		t.Setenv("GOCACHE", cache)
		got[i] = map[string]string{}
		platform := target{"windows", "arm64"} // on most machines a cross build
		program, bundle := filepath.Join(out, r.file(platform, "")), filepath.Join(out, r.file(platform, ".mcpb"))
		if err := r.build(t.Context(), source, platform, program); err != nil {
			t.Fatal(err)
		}
		if err := r.bundle(source, platform, program, bundle); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{program, bundle} {
			sum, err := checksum(file)
			if err != nil {
				t.Fatal(err)
			}
			got[i][filepath.Base(file)] = sum
		}
	}
	if diff := cmp.Diff(got[0], got[1]); diff != "" || len(got[0]) != 2 {
		t.Errorf("checksums (-one place +another)\n%s", diff)
	}
}

// copySource copies the files that a build reads.
func copySource(t *testing.T, to string) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == ".." {
			return err
		}
		name, err := filepath.Rel("..", path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name()[0] == '.' || d.Name() == "testdata" || d.Name() == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		into := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(into), 0o755); err != nil {
			return err
		}
		return os.WriteFile(into, data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestUsage(t *testing.T) {
	for want, args := range map[string][]string{
		`the version is ""`:         nil,
		`the version is "v1"`:       {"-version", "v1"},
		`"linux" is not a platform`: {"-version", "1.0.0", "-targets", "linux"},
	} {
		if err := run(t.Context(), args, io.Discard); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: %v", args, err)
		}
	}
}
