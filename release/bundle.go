package main

import (
	"errors"
	"path/filepath"
	"strings"

	"gander"
)

// bundle writes the program as an MCP bundle.
func (r release) bundle(p program) error {
	manifest, err := r.manifest(p.target)
	if err != nil {
		return err
	}
	files := append(p.files("server/"+p.target.program()), file{"manifest.json", 0o644, manifest})
	return write(r.path(r.name(p.target)+".mcpb"), files, zipped)
}

// manifest returns the bundle's manifest for t. The one in the source is for all platforms, and does not know the tools.
func (r release) manifest(t target) ([]byte, error) {
	var manifest document
	if err := load(filepath.Join(r.module.dir, "release", "manifest.json"), &manifest); err != nil {
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
	tools, err := defaultTools(r.module.dir)
	if err != nil {
		return nil, err
	}
	manifest["tools"] = tools
	choice["default"] = strings.Join(gander.DefaultTools(), ",")
	manifest["version"] = r.version
	server["entry_point"] = "server/" + t.program()
	config["command"] = "${__dirname}/server/" + t.program()
	delete(config, "platform_overrides")
	compatibility["platforms"] = []string{t.node().system}
	return encode(manifest)
}

// A described tool is what a manifest says of a tool.
type described struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// defaultTools returns the tools that are offered where nothing else is chosen, for which dir can be any directory.
func defaultTools(dir string) ([]described, error) {
	toolset, err := gander.Open(gander.Options{Roots: []string{dir}, Tools: gander.DefaultTools()})
	if err != nil {
		return nil, err
	}
	defer toolset.Close()
	var tools []described
	for _, d := range toolset.Definitions() {
		tools = append(tools, described{d.Name, d.Description})
	}
	return tools, nil
}

// node returns the platform by the names of Node.js.
func (t target) node() target {
	if t.system == "windows" {
		t.system = "win32"
	}
	if t.arch == "amd64" {
		t.arch = "x64"
	}
	return t
}
