package main

import (
	"errors"
	"fmt"
	"os"

	"gander"
)

// bundleName returns the name of the MCP bundle for a platform.
func (r release) bundleName(p program) string {
	return fmt.Sprintf("gander-%s-%s-%s.mcpb", r.version, p.Goos, p.Goarch)
}

// bundle writes the program as an MCP bundle, and returns the name of its file. The manifest in the
// source is for all platforms, and has no tools.
func (r release) bundle(p program) (string, error) {
	var manifest document
	source := []string{"0.0.0", r.version, "server/gander", "server/" + p.name()}
	if err := load("release/manifest.json", &manifest, source...); err != nil {
		return "", err
	}
	tools, err := defaultTools()
	if err != nil {
		return "", err
	}
	system, _ := p.node()
	manifest["tools"] = tools
	manifest["compatibility"] = document{"platforms": []string{system}}
	text, err := encode(manifest)
	if err != nil {
		return "", err
	}
	files, err := r.files(p, "server")
	if err != nil {
		return "", err
	}
	files = append(files, file{"manifest.json", 0o644, text})
	return r.bundleName(p), writeZip(r.path(r.bundleName(p)), files)
}

// A described tool is a tool in a manifest.
type described struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

func defaultTools() ([]described, error) {
	ts, err := gander.Open(gander.Options{Roots: []string{"."}})
	if err != nil {
		return nil, err
	}
	var tools []described
	for _, d := range ts.Tools() {
		tools = append(tools, described{d.Name, d.Description})
	}
	return tools, ts.Close()
}

// An entry is a part of server.json, the server's entry in the MCP registry.
type entry struct {
	Name, Description string
	Repository        struct{ URL string }
	Packages          []struct{ RegistryType, Identifier string }
}

// npm returns the name of the npm package for users.
func (e entry) npm() string {
	for _, p := range e.Packages {
		if p.RegistryType == "npm" {
			return p.Identifier
		}
	}
	return ""
}

// writeEntry writes the entry of the source with the version of the release, and with the bundles
// as further packages.
func (r release) writeEntry() error {
	var e document
	if err := load("server.json", &e, "0.0.0", r.version); err != nil {
		return err
	}
	packages, ok := e["packages"].([]any)
	if !ok || r.entry.npm() == "" {
		return errors.New("server.json: no npm package")
	}
	downloads := fmt.Sprintf("%s/releases/download/v%s/", r.entry.Repository.URL, r.version)
	for _, p := range r.programs {
		name := r.bundleName(p)
		sum, err := r.checksum(name)
		if err != nil {
			return err
		}
		packages = append(packages, document{
			"registryType": "mcpb", "identifier": downloads + name, "version": r.version,
			"fileSha256": sum, "transport": document{"type": "stdio"},
		})
	}
	e["packages"] = packages
	text, err := encode(e)
	if err != nil {
		return err
	}
	return os.WriteFile(r.path("server.json"), text, 0o644)
}
