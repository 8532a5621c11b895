package main

import (
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		{
			Type: "mcpb", Version: r.version, SHA256: sum,
			Identifier: "https://example.com/gander/releases/download/v1.2.3-rc.1/" + bundle,
		},
		{Type: "oci", Identifier: "registry.example.com/gander:" + r.version},
		{Type: "npm", Identifier: "@example/gander", Version: r.version},
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
	var e entry
	var m manifest
	must(t, errors.Join(load("server.json", &e), load("release/manifest.json", &m)))
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
	for _, a := range packages.Packages[0].Arguments {
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
