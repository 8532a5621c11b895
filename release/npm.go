package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// platformPackage writes the npm package with the program for a platform. npm installs only the
// package of its own platform.
func (r release) platformPackage(p program) (string, error) {
	system, arch := p.node()
	files, err := r.files(p, "bin/"+p.name())
	if err != nil {
		return "", err
	}
	name := r.platformName(p)
	description := r.packageDescription(name)
	description["description"] = fmt.Sprintf("The program of %s for %s on %s", r.entry.npm(), system, arch)
	description["os"] = []string{system}
	description["cpu"] = []string{arch}
	description["preferUnplugged"] = true // A program cannot be started in an archive.
	return r.pack(name, description, files)
}

// launcher writes the npm package that users name. It starts the program of the package for the
// user's platform, which npm installs as an optional dependency.
func (r release) launcher() (string, error) {
	files := []file{{name: "bin/gander.js", mode: 0o755}, {name: "README.md", mode: 0o644}, {name: "LICENSE", mode: 0o644}}
	for i, source := range []string{"release/npm/gander.js", "release/npm/README.md", "LICENSE"} {
		text, err := os.ReadFile(filepath.FromSlash(source))
		if err != nil {
			return "", err
		}
		files[i].data = text
	}
	readme := &files[1]
	readme.data = []byte(strings.ReplaceAll(string(readme.data), "NAME", r.entry.npm()))
	platforms := map[string]string{}
	for _, p := range r.programs {
		platforms[r.platformName(p)] = r.version
	}
	description := r.packageDescription(r.entry.npm())
	description["description"] = r.entry.Description
	description["mcpName"] = r.entry.Name
	description["keywords"] = []string{"mcp", "modelcontextprotocol", "filesystem", "files", "read-only"}
	description["bin"] = document{"gander": "bin/gander.js"}
	description["engines"] = document{"node": ">=18"}
	description["optionalDependencies"] = platforms
	return r.pack(r.entry.npm(), description, files)
}

func (r release) platformName(p program) string {
	system, arch := p.node()
	return fmt.Sprintf("%s-%s-%s", r.entry.npm(), system, arch)
}

// packageDescription returns what package.json has in every package.
func (r release) packageDescription(name string) document {
	repository := r.entry.Repository.URL
	return document{
		"name": name, "version": r.version, "license": "Apache-2.0", "homepage": repository,
		"repository": document{"type": "git", "url": "git+" + repository + ".git"},
	}
}

// pack writes a package in the format of npm pack, and returns the name of its file.
func (r release) pack(name string, description document, files []file) (string, error) {
	text, err := encode(description)
	if err != nil {
		return "", err
	}
	files = append(files, file{"package.json", 0o644, text})
	for i := range files {
		files[i].name = "package/" + files[i].name
	}
	base := strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-") + "-" + r.version + ".tgz"
	return base, write(r.path(base), files, tarred)
}
