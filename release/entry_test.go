package main

import (
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
)

// checkReleasedEntry: the released entry names what was released.
func checkReleasedEntry(t *testing.T, r release) {
	bundle := r.bundleName(here())
	sum, err := checksum(r.path(bundle))
	if err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{
		{"registryType": "npm", "identifier": "@example/gander", "version": r.version},
		{"registryType": "oci", "identifier": "registry.example.com/gander:" + r.version},
		{"registryType": "mcpb", "identifier": "https://example.com/mcp/" + bundle, "version": r.version, "fileSha256": sum},
	}
	if r.entry.Version != r.version || len(r.entry.Packages) != len(want) {
		t.Fatalf("%+v", r.entry)
	}
	for i, p := range r.entry.Packages {
		for key, value := range want[i] {
			if p[key] != value {
				t.Errorf("package %d: %s is %v, not %v", i, key, p[key], value)
			}
		}
	}
}

// TestEntry: server.json, the manifest, the Dockerfile and .goreleaser.yaml agree with each other and with the published schema.
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
		"-trimpath -buildvcs=false", "CGO_ENABLED=0", "\nUSER 65532:65532\n", "release -licenses",
	} {
		if !strings.Contains(dockerfile, want) {
			t.Errorf("the Dockerfile lacks %q", want)
		}
	}
	goreleaser, err := os.ReadFile("../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{linkerFlags("{{ .Version }}"), e.Description, "homepage: " + e.Repository.URL + "\n"} {
		if !strings.Contains(string(goreleaser), want) {
			t.Errorf(".goreleaser.yaml lacks %q", want)
		}
	}
	for _, argument := range []string{"TARGETOS", "TARGETARCH"} { // A default would take the place of what the builder sets.
		if !regexp.MustCompile(`(?m)^ARG ` + argument + `$`).MatchString(dockerfile) {
			t.Errorf("the Dockerfile does not take %s from the builder", argument)
		}
	}
	var words, command []string
	for _, a := range e.of("oci")["packageArguments"].([]any) {
		a := a.(map[string]any)
		name, _ := a["name"].(string)
		words = append(words, strings.Fields(name+" "+a["value"].(string))...)
	}
	found := regexp.MustCompile(`(?m)^CMD (\[.*\])$`).FindStringSubmatch(dockerfile)
	if found == nil || json.Unmarshal([]byte(found[1]), &command) != nil {
		t.Fatal("the Dockerfile has no CMD in JSON")
	}
	if diff := cmp.Diff(words, command); diff != "" {
		t.Errorf("arguments (-server.json +Dockerfile):\n%s", diff)
	}
}

// checkEntry validates a server.json against the schema that it names.
func checkEntry(t *testing.T, file string) entry {
	t.Helper()
	var e entry
	var value map[string]any
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
	// The module of the MCP registry contains the published schemas.
	dir := download(t, "github.com/modelcontextprotocol/registry@v1.8.7")
	if dir == "" {
		return e
	}
	schema := published(t, filepath.Join(dir, "internal", "validators", "schemas"), revision[1]+".json", e.Schema)
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s: %v", file, err)
	}
	value["name"] = "no slash"
	if schema.Validate(value) == nil {
		t.Error("a name without a slash is accepted")
	}
	return e
}

// download returns the directory of a module that contains a published schema, or "" if it cannot be had.
func download(t *testing.T, module string) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GO111MODULE=on")
	out, err := cmd.Output()
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("%v: %s", err, out)
		}
		t.Logf("%v: cannot download the schema, so nothing is validated", err)
		return ""
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(err)
	}
	return m.Dir
}

// published returns the schema in a file, which must have this id.
func published(t *testing.T, dir, file, id string) *jsonschema.Resolved {
	t.Helper()
	var schema jsonschema.Schema
	if err := load(filepath.Join(dir, file), &schema); err != nil {
		t.Fatal(err)
	}
	if schema.ID != id {
		t.Errorf("the schema is %s, not %s", schema.ID, id)
	}
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{Loader: func(uri *url.URL) (*jsonschema.Schema, error) {
		var other jsonschema.Schema
		file := path.Base(uri.Path)
		if strings.HasPrefix(file, "jsf-") {
			file = strings.Replace(file, ".schema.", ".schemax.", 1) // Its module has it under this name.
		}
		return &other, load(filepath.Join(dir, file), &other)
	}})
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}
