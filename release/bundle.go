package main

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A document is a JSON object of which this program knows only some keys.
type document = map[string]any

// bundle packs the program at file as an MCP bundle for t.
func (r release) bundle(source string, t target, file, output string) error {
	manifest, err := r.manifest(source, t)
	if err != nil {
		return err
	}
	program, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	license, err := os.ReadFile(filepath.Join(source, "LICENSE"))
	if err != nil {
		return err
	}
	f, err := os.Create(output)
	if err != nil {
		return err
	}
	defer f.Close()
	w := zip.NewWriter(f)
	for _, part := range []struct {
		name string
		mode fs.FileMode
		data []byte
	}{
		{"LICENSE", 0o644, license},
		{"manifest.json", 0o644, manifest},
		{path.Join("server", t.program()), 0o755, program},
	} {
		// The header has no time, so that the bytes do not depend on it.
		h := &zip.FileHeader{Name: part.name, Method: zip.Deflate}
		h.SetMode(part.mode)
		to, err := w.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := to.Write(part.data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return f.Close()
}

// manifest returns the bundle's manifest for t. The one in the source is for all platforms.
func (r release) manifest(source string, t target) ([]byte, error) {
	var manifest document
	if err := load(filepath.Join(source, "release", "manifest.json"), &manifest); err != nil {
		return nil, err
	}
	server, _ := manifest["server"].(document)
	config, _ := server["mcp_config"].(document)
	compatibility, _ := manifest["compatibility"].(document)
	if config == nil || compatibility == nil {
		return nil, errors.New("release/manifest.json lacks server.mcp_config or compatibility")
	}
	manifest["version"] = r.version
	server["entry_point"] = "server/" + t.program()
	config["command"] = "${__dirname}/server/" + t.program()
	delete(config, "platform_overrides")
	compatibility["platforms"] = []string{nodePlatform(t.system)}
	return encode(manifest)
}

// nodePlatform returns the name that Node.js has for a system.
func nodePlatform(system string) string {
	if system == "windows" {
		return "win32"
	}
	return system
}

// entry writes server.json with the version, and with the bundles as packages in addition to the container.
func (r release) entry(source string, bundles []string) error {
	var server struct {
		Schema      string     `json:"$schema"`
		Name        string     `json:"name"`
		Title       string     `json:"title"`
		Description string     `json:"description"`
		Version     string     `json:"version"`
		Packages    []document `json:"packages"`
	}
	if err := load(filepath.Join(source, "server.json"), &server); err != nil {
		return err
	}
	server.Version = r.version
	if r.name != "" {
		server.Name = r.name
	}
	for _, p := range server.Packages {
		image, _ := p["identifier"].(string)
		if at := strings.LastIndex(image, ":"); at >= 0 {
			image = image[:at]
		}
		if r.image != "" {
			image = r.image
		}
		p["identifier"] = image + ":" + r.version
	}
	for _, b := range bundles {
		sum, err := checksum(b)
		if err != nil {
			return err
		}
		server.Packages = append(server.Packages, document{
			"registryType": "mcpb",
			"identifier":   r.url + "/" + filepath.Base(b),
			"version":      r.version,
			"fileSha256":   sum,
			"transport":    document{"type": "stdio"},
		})
	}
	text, err := encode(server)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.output, "server.json"), text, 0o644)
}

func load(file string, into any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

func encode(value any) ([]byte, error) {
	text, err := json.MarshalIndent(value, "", "  ")
	return append(text, '\n'), err
}
