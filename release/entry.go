package main

import (
	"errors"
	"os"
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

// A repository is the location of the source.
type repository struct {
	URL    string `json:"url"`
	Source string `json:"source"`
}

func (e entry) check() error {
	if e.of("oci") == nil || e.of("npm") == nil {
		return errors.New("server.json lacks a package of npm or a container image")
	}
	return nil
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

// writeEntry writes the entry of the source with the version of the release, and with the bundles
// as further packages.
func (r release) writeEntry() error {
	e := r.entry
	e.Version = r.version
	e.of("npm")["version"] = r.version
	image, _ := e.of("oci")["identifier"].(string)
	e.of("oci")["identifier"] = image[:strings.LastIndex(image, ":")+1] + r.version
	for _, p := range r.programs {
		name := r.bundleName(p)
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
