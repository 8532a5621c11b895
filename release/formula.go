package main

import (
	"bytes"
	"os"
	"path/filepath"
	"text/template"
)

// formula writes the Homebrew formula that installs the archives of the release for macOS and Linux.
func (r release) formula(e entry) error {
	type archive struct{ Arch, URL, Sum string }
	type system struct {
		Name     string
		Archives []archive
	}
	systems := []system{{Name: "macos"}, {Name: "linux"}}
	for _, t := range r.targets {
		at, known := map[string]int{"darwin": 0, "linux": 1}[t.system]
		if !known {
			continue
		}
		name := r.name(t) + ".tar.gz"
		sum, err := checksum(r.path(name))
		if err != nil {
			return err
		}
		arch := map[string]string{"amd64": "intel", "arm64": "arm"}[t.arch]
		systems[at].Archives = append(systems[at].Archives, archive{arch, r.url + "/" + name, sum})
	}
	formula, err := template.ParseFiles(filepath.Join(r.module.dir, "release", "formula.rb.tmpl"))
	if err != nil {
		return err
	}
	var text bytes.Buffer
	err = formula.Execute(&text, struct {
		Description, Homepage, Version string
		Systems                        []system
	}{e.Description, e.Repository.URL, r.version, systems})
	if err != nil {
		return err
	}
	return os.WriteFile(r.path("gander.rb"), text.Bytes(), 0o644)
}
