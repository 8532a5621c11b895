package main

import (
	"fmt"
	"os"
	"strings"
)

// platformPackage writes the npm package with the program for a platform. npm installs only the
// package of its own platform.
func (r release) platformPackage(p program) (string, error) {
	system, arch := p.node()
	files, err := r.files(p, "bin")
	if err != nil {
		return "", err
	}
	return r.pack(r.platformName(p), files, document{
		"description":     fmt.Sprintf("The program of %s for %s on %s", r.entry.npm(), system, arch),
		"os":              []string{system},
		"cpu":             []string{arch},
		"preferUnplugged": true, // A program cannot be started in an archive.
	})
}

// launcher writes the npm package that users name. It starts the program of the package for the
// user's platform, which npm installs as an optional dependency.
func (r release) launcher() (string, error) {
	files := []file{
		{name: "bin/gander.js", mode: 0o755},
		{name: "README.md", mode: 0o644},
		{name: "LICENSE", mode: 0o644},
	}
	for i, source := range []string{"release/npm/gander.js", "release/npm/README.md", "LICENSE"} {
		text, err := os.ReadFile(source)
		if err != nil {
			return "", err
		}
		files[i].data = []byte(strings.ReplaceAll(string(text), "NPM_PACKAGE", r.entry.npm()))
	}
	platforms := map[string]string{}
	for _, p := range r.programs {
		platforms[r.platformName(p)] = r.version
	}
	return r.pack(r.entry.npm(), files, document{
		"description":          r.entry.Description,
		"mcpName":              r.entry.Name,
		"keywords":             []string{"mcp", "filesystem", "files", "read-only"},
		"bin":                  document{"gander": "bin/gander.js"},
		"engines":              document{"node": ">=18"},
		"optionalDependencies": platforms,
	})
}

func (r release) platformName(p program) string {
	system, arch := p.node()
	return fmt.Sprintf("%s-%s-%s", r.entry.npm(), system, arch)
}

// pack writes a package, and returns the name of its file, as npm pack names it.
func (r release) pack(name string, files []file, description document) (string, error) {
	repository := r.entry.Repository.URL
	description["name"] = name
	description["version"] = r.version
	description["license"] = "Apache-2.0"
	description["homepage"] = repository
	description["repository"] = document{"type": "git", "url": "git+" + repository + ".git"}
	text, err := encode(description)
	if err != nil {
		return "", err
	}
	base := strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-") + "-" + r.version + ".tgz"
	return base, writePackage(r.path(base), append(files, file{"package.json", 0o644, text}))
}
