package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// A document is a JSON object of which this program knows only some keys.
type document = map[string]any

// An entry is the server's entry in the MCP registry, as server.json has it.
type entry struct {
	Schema      string     `json:"$schema"`
	Name        string     `json:"name"`
	Title       string     `json:"title"`
	Description string     `json:"description"`
	Repository  repository `json:"repository"`
	Version     string     `json:"version"`
	Packages    []document `json:"packages"`
}

// A repository is where the source is.
type repository struct {
	URL    string `json:"url"`
	Source string `json:"source"`
}

// entry returns the entry for the release: that of the source with the version.
func (r release) entry() (entry, error) {
	var e entry
	if err := load(filepath.Join(r.module.dir, "server.json"), &e); err != nil {
		return entry{}, err
	}
	e.Version = r.version
	image := e.of("oci")
	if image == nil || e.of("npm") == nil {
		return entry{}, errors.New("server.json lacks a package of npm or a container image")
	}
	e.of("npm")["version"] = r.version
	name, _ := image["identifier"].(string)
	if at := strings.LastIndex(name, ":"); at >= 0 {
		name = name[:at]
	}
	if r.image != "" {
		name = r.image
	}
	image["identifier"] = name + ":" + r.version
	return e, nil
}

// of returns the first package of a type, or nil.
func (e entry) of(registry string) document {
	for _, p := range e.Packages {
		if p["registryType"] == registry {
			return p
		}
	}
	return nil
}

// npm returns the name of the package in which users of npm find gander.
func (e entry) npm() string {
	name, _ := e.of("npm")["identifier"].(string)
	return name
}

// writeEntry writes the entry, with the bundles as packages in addition to those of the source.
func (r release) writeEntry(e entry) error {
	for _, t := range r.targets {
		name := r.name(t) + ".mcpb"
		sum, err := checksum(r.path(name))
		if err != nil {
			return err
		}
		e.Packages = append(e.Packages, document{
			"registryType": "mcpb",
			"identifier":   r.url + "/" + name,
			"version":      r.version,
			"fileSha256":   sum,
			"transport":    document{"type": "stdio"},
		})
	}
	text, err := encode(e)
	if err != nil {
		return err
	}
	return os.WriteFile(r.path("server.json"), text, 0o644)
}

func load(file string, into any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

func encode(value any) ([]byte, error) {
	text, err := json.MarshalIndent(value, "", "  ")
	return append(text, '\n'), err
}
