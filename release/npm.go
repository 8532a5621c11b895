package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// platformPackage writes the npm package with the program for a platform. npm installs only that of its own platform.
func (r release) platformPackage(p program, e entry) error {
	node := p.target.node()
	name := platformName(e, p.target)
	description := packageDescription(e, name, r.version)
	description["description"] = fmt.Sprintf("The program of %s for %s on %s", e.npm(), node.system, node.arch)
	description["os"] = []string{node.system}
	description["cpu"] = []string{node.arch}
	description["preferUnplugged"] = true // A program cannot be started in an archive.
	return r.pack(name, description, p.files("bin/"+p.target.program()))
}

// launcher writes the npm package that users name. It starts the program of the package for the user's platform, which npm installs
// because it is an optional dependency.
func (r release) launcher(e entry) error {
	starter, err := os.ReadFile(filepath.Join(r.module.dir, "release", "npm", "gander.js"))
	if err != nil {
		return err
	}
	platforms := map[string]string{}
	for _, t := range r.targets {
		platforms[platformName(e, t)] = r.version
	}
	description := packageDescription(e, e.npm(), r.version)
	description["description"] = e.Description
	description["mcpName"] = e.Name
	description["keywords"] = []string{"mcp", "modelcontextprotocol", "filesystem", "files", "read-only"}
	description["bin"] = document{"gander": "bin/gander.js"}
	description["engines"] = document{"node": ">=18"}
	description["optionalDependencies"] = platforms
	return r.pack(e.npm(), description, []file{{"bin/gander.js", 0o755, starter}})
}

func platformName(e entry, t target) string {
	return fmt.Sprintf("%s-%s-%s", e.npm(), t.node().system, t.node().arch)
}

// packageDescription returns what package.json says in every package.
func packageDescription(e entry, name, version string) document {
	return document{
		"name": name, "version": version, "license": "Apache-2.0", "homepage": e.Repository.URL,
		"repository": document{"type": "git", "url": "git+" + e.Repository.URL + ".git"},
	}
}

// pack writes a package in the format of npm pack.
func (r release) pack(name string, description document, files []file) error {
	text, err := encode(description)
	if err != nil {
		return err
	}
	files = append(files, file{"package.json", 0o644, text})
	base := strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-")
	return write(r.path(base+"-"+r.version+".tgz"), below("package", files), tarred)
}
