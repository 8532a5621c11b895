package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// checkBill: the bill of materials is valid, and has Go and the module of the MCP server with their versions.
func checkBill(t *testing.T, r result) {
	var bill map[string]any
	if err := load(r.path(r.name(here())+".cdx.json"), &bill); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(r.path(r.name(here()) + ".cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"pkg:golang/std@1.`, `"pkg:golang/github.com/modelcontextprotocol/go-sdk@v1.`, `@v1.2.3-rc.1?goarch=` + here().arch + `\u0026goos=` + here().system} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	// The module of CycloneDX's own library contains the published schemas.
	dir := download(t, "github.com/CycloneDX/cyclonedx-go@v0.12.0")
	if dir == "" {
		return
	}
	schema := published(t, filepath.Join(dir, "schema"), "bom-1.6.schema.json", "http://cyclonedx.org/schema/bom-1.6.schema.json")
	if err := schema.Validate(bill); err != nil {
		t.Error(err)
	}
	bill["components"] = bill["metadata"]
	if schema.Validate(bill) == nil {
		t.Error("components that are not an array are accepted")
	}
}

// checkFormula: the formula names the archive of this platform and its checksum.
func checkFormula(t *testing.T, r result) {
	text, err := os.ReadFile(r.path("gander.rb"))
	if err != nil {
		t.Fatal(err)
	}
	wants := []string{"class Gander < Formula", `version "1.2.3-rc.1"`, "on_macos do", "on_linux do"}
	if here().system != "windows" {
		archive := r.name(here()) + ".tar.gz"
		sum, err := checksum(r.path(archive))
		if err != nil {
			t.Fatal(err)
		}
		wants = append(wants, `url "https://example.com/mcp/`+archive+"\"\n      sha256 \""+sum+`"`)
	}
	for _, want := range wants {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	installFormula(t, r)
}

// installFormula installs the release by its formula, and starts the server. A small script stands in for Homebrew.
func installFormula(t *testing.T, r result) {
	ruby, err := exec.LookPath("ruby")
	if err != nil || here().system == "windows" {
		t.Skip("this installs the formula with ruby, on macOS and Linux: ", err)
	}
	prefix := t.TempDir()
	brew := exec.CommandContext(t.Context(), ruby, filepath.Join("testdata", "brew.rb"), r.path("gander.rb"), r.path(r.name(here())+".tar.gz"), prefix)
	if out, err := brew.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"share/man/man1/gander-mcp.1", "etc/bash_completion.d/gander", "share/fish/vendor_completions.d/gander.fish", "share/zsh/site-functions/_gander", "THIRD_PARTY_LICENSES"} {
		if _, err := os.Stat(filepath.Join(prefix, filepath.FromSlash(name))); err != nil {
			t.Error(err)
		}
	}
	checkServer(t, exec.CommandContext(t.Context(), filepath.Join(prefix, "bin", "gander"), "mcp", "--root", prefix))
}
