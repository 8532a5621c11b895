package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
)

// bill writes the bill of materials of a program in the format of CycloneDX: Go's standard library and the modules that the program
// says it was linked from.
func (r release) bill(p program) error {
	self := packageURL(r.module.path, "v"+r.version)
	components := []document{component("std", strings.TrimPrefix(p.build.GoVersion, "go"), packageURL("std", strings.TrimPrefix(p.build.GoVersion, "go")))}
	for _, d := range p.build.Deps {
		m := linked(d)
		components = append(components, component(m.Path, m.Version, packageURL(m.Path, m.Version)))
	}
	var references []any
	for _, c := range components {
		references = append(references, c["bom-ref"])
	}
	text, err := encode(document{
		"$schema":     "http://cyclonedx.org/schema/bom-1.6.schema.json",
		"bomFormat":   "CycloneDX",
		"specVersion": "1.6",
		"version":     1,
		"metadata": document{"component": document{
			"type":     "application",
			"bom-ref":  self,
			"name":     r.module.path,
			"version":  "v" + r.version,
			"purl":     self + "?goarch=" + p.target.arch + "&goos=" + p.target.system,
			"licenses": []document{{"license": document{"id": "Apache-2.0"}}},
			"hashes":   []document{{"alg": "SHA-256", "content": fmt.Sprintf("%x", sha256.Sum256(p.data))}},
		}},
		"components":   components,
		"dependencies": []document{{"ref": self, "dependsOn": references}},
	})
	if err != nil {
		return err
	}
	return os.WriteFile(r.path(r.name(p.target)+".cdx.json"), text, 0o644)
}

func component(name, version, url string) document {
	return document{"type": "library", "bom-ref": url, "name": name, "version": version, "purl": url, "scope": "required"}
}

// packageURL returns the purl of a version of a Go module.
func packageURL(path, version string) string {
	return "pkg:golang/" + path + "@" + version
}
