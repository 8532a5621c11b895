package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing/fstest"
	"time"
)

// platformPackage writes the npm package with the program for a platform. npm installs only the
// package of its own platform.
func (r release) platformPackage(p program) (string, error) {
	return r.pack(p, r.npmName(p), map[string]string{
		"package/bin/" + p.name():      p.Path, // relative to the source
		"package/LICENSE":              "LICENSE",
		"package/THIRD_PARTY_LICENSES": r.path(licensesFile),
		"package/package.json":         "release/npm/platform.json",
	})
}

// launcher writes the npm package that users name. It starts the program of the package for the
// user's platform, which npm installs as an optional dependency.
func (r release) launcher() (string, error) {
	return r.pack(program{}, r.entry.npm(), map[string]string{
		"package/bin/gander.js": "release/npm/gander.js",
		"package/README.md":     "release/npm/README.md",
		"package/LICENSE":       "LICENSE",
		"package/package.json":  "release/npm/launcher.json",
	})
}

// pack writes an npm package, and returns the name of its file, as npm pack names it.
func (r release) pack(p program, name string, sources map[string]string) (string, error) {
	files, err := r.files(p, sources)
	if err != nil {
		return "", err
	}
	var data bytes.Buffer
	compressed := gzip.NewWriter(&data)
	archive := tar.NewWriter(compressed)
	err = errors.Join(archive.AddFS(files), archive.Close(), compressed.Close())
	base := strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-") + "-" + r.version + ".tgz"
	return base, errors.Join(err, os.WriteFile(r.path(base), data.Bytes(), 0o644))
}

// npmName returns the name of the npm package for a platform.
func (r release) npmName(p program) string {
	system, arch := p.node()
	return fmt.Sprintf("%s-%s-%s", r.entry.npm(), system, arch)
}

// bundle writes the program as an MCP bundle, and returns the name of its file.
func (r release) bundle(p program) (string, error) {
	files, err := r.files(p, map[string]string{
		"server/" + p.name():   p.Path,
		"LICENSE":              "LICENSE",
		"THIRD_PARTY_LICENSES": r.path(licensesFile),
		"manifest.json":        "release/manifest.json",
	})
	if err != nil {
		return "", err
	}
	var data bytes.Buffer
	archive := zip.NewWriter(&data)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := files[name]
		if f.Mode.IsDir() { // mcpb cannot unpack directories.
			continue
		}
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: f.ModTime}
		h.SetMode(f.Mode)
		w, wrong := archive.CreateHeader(h)
		if wrong == nil {
			_, wrong = w.Write(f.Data)
		}
		err = errors.Join(err, wrong)
	}
	name := r.bundleName(p)
	err = errors.Join(err, archive.Close())
	return name, errors.Join(err, os.WriteFile(r.path(name), data.Bytes(), 0o644))
}

func (r release) bundleName(p program) string {
	return fmt.Sprintf("gander-%s-%s-%s.mcpb", r.version, p.Goos, p.Goarch)
}

// files returns the files of a package, by name, from files of the source. In JSON and Markdown,
// facts about the release replace words in capitals and the version.
func (r release) files(p program, sources map[string]string) (fstest.MapFS, error) {
	platforms := map[string]string{}
	for _, each := range r.programs {
		platforms[r.npmName(each)] = r.version
	}
	optional, err := json.Marshal(platforms)
	if err != nil {
		return nil, err
	}
	system, arch := p.node()
	facts := strings.NewReplacer("0.0.0", r.version, "NPM_PACKAGE", r.entry.npm(), "SYSTEM", system,
		"ARCH", arch, "PROGRAM", p.name(), "REPOSITORY", r.entry.Repository.URL,
		"SERVER_NAME", r.entry.Name, "DESCRIPTION", r.entry.Description, "PLATFORMS", string(optional))
	npm := time.Date(1985, time.October, 26, 8, 15, 0, 0, time.UTC) // the time of npm pack
	files := fstest.MapFS{}
	for name, source := range sources {
		data, err := os.ReadFile(source)
		if err != nil {
			return nil, err
		}
		mode, ext := fs.FileMode(0o644), path.Ext(name)
		switch {
		case source == p.Path || ext == ".js":
			mode = 0o755
		case ext != "":
			data = []byte(facts.Replace(string(data)))
		}
		files[name] = &fstest.MapFile{Data: data, Mode: mode, ModTime: npm}
		files[path.Dir(name)] = &fstest.MapFile{Mode: fs.ModeDir | 0o755, ModTime: npm}
	}
	return files, nil
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

// writeEntry writes the entry of the source with the version of the release. The bundles precede
// the other packages, because clients take the first one that they support, and npx starts slowly.
func (r release) writeEntry() error {
	files, err := r.files(program{}, map[string]string{"server.json": "server.json"})
	if err != nil {
		return err
	}
	var e document
	if err := json.Unmarshal(files["server.json"].Data, &e); err != nil {
		return err
	}
	others, ok := e["packages"].([]any)
	if !ok || r.entry.npm() == "" {
		return errors.New("server.json: no npm package")
	}
	downloads := fmt.Sprintf("%s/releases/download/v%s/", r.entry.Repository.URL, r.version)
	var packages []any
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
	e["packages"] = append(packages, others...)
	text, err := json.MarshalIndent(e, "", "  ")
	return errors.Join(err, os.WriteFile(r.path("server.json"), append(text, '\n'), 0o644))
}
