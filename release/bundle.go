package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"gander/internal/toolset"

	"gander"
)

// bundleName returns the name of the MCP bundle for a platform.
func (r release) bundleName(p program) string {
	return fmt.Sprintf("gander-%s-%s-%s.mcpb", r.version, p.Goos, p.Goarch)
}

// bundle writes the program as an MCP bundle, and returns the name of its file.
func (r release) bundle(p program) (string, error) {
	files, err := r.files(p, "server/"+p.name())
	if err != nil {
		return "", err
	}
	manifest, err := r.manifest(p)
	if err != nil {
		return "", err
	}
	files = append(files, file{"manifest.json", 0o644, manifest})
	return r.bundleName(p), write(r.path(r.bundleName(p)), files, zipped)
}

// manifest returns the bundle's manifest for a platform. The one in the source is for all
// platforms, and has no tools.
func (r release) manifest(p program) ([]byte, error) {
	var manifest document
	if err := load(filepath.Join("release", "manifest.json"), &manifest); err != nil {
		return nil, err
	}
	server, _ := manifest["server"].(document)
	config, _ := server["mcp_config"].(document)
	compatibility, _ := manifest["compatibility"].(document)
	user, _ := manifest["user_config"].(document)
	choice, _ := user["tools"].(document)
	if config == nil || compatibility == nil || choice == nil {
		return nil, errors.New("release/manifest.json lacks server.mcp_config, compatibility or user_config.tools")
	}
	tools, err := defaultTools()
	if err != nil {
		return nil, err
	}
	system, _ := p.node()
	manifest["tools"] = tools
	choice["default"] = strings.Join(toolset.DefaultTools(), ",")
	manifest["version"] = r.version
	server["entry_point"] = "server/" + p.name()
	config["command"] = "${__dirname}/server/" + p.name()
	delete(config, "platform_overrides")
	compatibility["platforms"] = []string{system}
	return encode(manifest)
}

// A described tool is what a manifest has of a tool.
type described struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

func defaultTools() ([]described, error) {
	ts, err := gander.Open(gander.Options{Roots: []string{"."}})
	if err != nil {
		return nil, err
	}
	defer ts.Close()
	var tools []described
	for _, d := range ts.Tools() {
		tools = append(tools, described{d.Name, d.Description})
	}
	return tools, nil
}
