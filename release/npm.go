package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing/fstest"
)

// platformPackage writes the npm package with the program for a platform. npm installs only the
// package of its own platform.
func (r release) platformPackage(p program) (string, error) {
	system, arch := p.node()
	f, err := r.files(p, "package", "bin")
	if err != nil {
		return "", err
	}
	return r.pack(r.platformName(p), f, document{
		"description":     fmt.Sprintf("The program of %s for %s on %s", r.entry.npm(), system, arch),
		"os":              []string{system},
		"cpu":             []string{arch},
		"preferUnplugged": true, // A program cannot be started in an archive.
	})
}

// launcher writes the npm package that users name. It starts the program of the package for the
// user's platform, which npm installs as an optional dependency.
func (r release) launcher() (string, error) {
	f := files{fstest.MapFS{}, "package"}
	for name, source := range map[string]string{
		"bin/gander.js": "release/npm/gander.js",
		"README.md":     "release/npm/README.md",
		"LICENSE":       "LICENSE",
	} {
		text, err := os.ReadFile(source)
		if err != nil {
			return "", err
		}
		text = bytes.ReplaceAll(text, []byte("NPM_PACKAGE"), []byte(r.entry.npm()))
		f.add(name, 0o755, text)
	}
	platforms := map[string]string{}
	for _, p := range r.programs {
		platforms[r.platformName(p)] = r.version
	}
	return r.pack(r.entry.npm(), f, document{
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
func (r release) pack(name string, f files, description document) (string, error) {
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
	f.add("package.json", 0o644, text)
	return base, f.writePackage(r.path(base))
}
