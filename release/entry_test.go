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

// A registered package is a package of a server.json.
type registered struct {
	Type       string `json:"registryType"`
	Identifier string
	Version    string
	SHA256     string                         `json:"fileSha256"`
	Arguments  []struct{ Name, Value string } `json:"packageArguments"`
}

func checkReleasedEntry(t *testing.T, r release) {
	bundle := r.bundleName(here())
	sum, err := r.checksum(bundle)
	must(t, err)
	want := []registered{
		{Type: "npm", Identifier: "@example/gander", Version: r.version},
		{Type: "oci", Identifier: "registry.example.com/gander:" + r.version},
		{
			Type: "mcpb", Version: r.version, SHA256: sum,
			Identifier: "https://example.com/gander/releases/download/v1.2.3-rc.1/" + bundle,
		},
	}
	var got struct {
		Version  string
		Packages []registered
	}
	must(t, load(r.path("server.json"), &got))
	for i := range got.Packages {
		got.Packages[i].Arguments = nil
	}
	if diff := cmp.Diff(want, got.Packages); diff != "" || got.Version != r.version {
		t.Errorf("version %s, packages (-want +got):\n%s", got.Version, diff)
	}
}

// TestEntry checks that server.json, the manifest, the Dockerfile and .goreleaser.yaml agree.
func TestEntry(t *testing.T) {
	t.Chdir("..")
	e := checkEntry(t, "server.json")
	var m manifest
	must(t, load("release/manifest.json", &m))
	if e.Description != m.Description || m.Version != "0.0.0" {
		t.Errorf("the manifest has version %q and description %q", m.Version, m.Description)
	}
	dockerfile, err := os.ReadFile("Dockerfile")
	must(t, err)
	goreleaser, err := os.ReadFile(".goreleaser.yaml")
	must(t, err)
	for _, c := range []struct{ text, want string }{
		{string(dockerfile), `LABEL io.modelcontextprotocol.server.name="` + e.Name + `"`},
		{string(dockerfile), `-ldflags "` + linkerFlags("$VERSION") + `"`},
		{string(dockerfile), "-trimpath -buildvcs=false"},
		{string(dockerfile), "CGO_ENABLED=0"},
		{string(dockerfile), "\nUSER 65532:65532\n"},
		{string(dockerfile), "release -licenses"},
		// A default would override the values of the builder.
		{string(dockerfile), "\nARG TARGETOS\nARG TARGETARCH\n"},
		{string(goreleaser), linkerFlags("{{ .Version }}")},
		{string(goreleaser), e.Description},
		{string(goreleaser), "homepage: " + e.Repository.URL + "\n"},
	} {
		if !strings.Contains(c.text, c.want) {
			t.Errorf("%q is missing in\n%s", c.want, c.text)
		}
	}
	var packages struct{ Packages []registered }
	must(t, load("server.json", &packages))
	var words, command []string
	for _, a := range packages.Packages[1].Arguments {
		words = append(words, strings.Fields(a.Name+" "+a.Value)...)
	}
	found := regexp.MustCompile(`(?m)^CMD (\[.*\])$`).FindSubmatch(dockerfile)
	if found == nil || json.Unmarshal(found[1], &command) != nil {
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
	must(t, load(file, &e))
	var value document
	must(t, load(file, &value))
	id, _ := value["$schema"].(string)
	revision := regexp.MustCompile(`/schemas/([0-9-]+)/server\.schema\.json$`).FindStringSubmatch(id)
	if revision == nil {
		t.Fatalf("$schema is %q", id)
	}
	// The module of the MCP registry contains the published schemas.
	module := exec.Command("go", "mod", "download", "-json",
		"github.com/modelcontextprotocol/registry@v1.8.7")
	module.Dir = t.TempDir()
	module.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GO111MODULE=on")
	out, err := module.Output()
	if err != nil && os.Getenv("CI") == "" {
		t.Logf("%v: cannot download the schema, so nothing is validated", err)
		return e
	}
	var m struct{ Dir string }
	must(t, json.Unmarshal(out, &m))
	schema := published(t, filepath.Join(m.Dir, "internal", "validators", "schemas"), revision[1], id)
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s: %v", file, err)
	}
	value["name"] = "no slash"
	if schema.Validate(value) == nil {
		t.Error("a name without a slash is accepted")
	}
	return e
}

// published returns the schema of a revision, which must have this id.
func published(t *testing.T, dir, revision, id string) *jsonschema.Resolved {
	t.Helper()
	var schema jsonschema.Schema
	must(t, load(filepath.Join(dir, revision+".json"), &schema))
	if schema.ID != id {
		t.Errorf("the schema is %s, not %s", schema.ID, id)
	}
	loader := func(uri *url.URL) (*jsonschema.Schema, error) {
		var other jsonschema.Schema
		file := path.Base(uri.Path)
		if strings.HasPrefix(file, "jsf-") {
			file = strings.Replace(file, ".schema.", ".schemax.", 1) // Its module has it under this name.
		}
		return &other, load(filepath.Join(dir, file), &other)
	}
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{Loader: loader})
	must(t, err)
	return resolved
}
