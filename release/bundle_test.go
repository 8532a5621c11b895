package main

import (
	"archive/zip"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// manifest is the part of a bundle's manifest that the tests use.
type manifest struct {
	Version     string
	Description string
	Server      struct {
		EntryPoint string `json:"entry_point"`
		Config     struct {
			Command string
			Args    []string
		} `json:"mcp_config"`
	}
	Tools         []described
	Compatibility struct{ Platforms []string }
	User          map[string]struct {
		Default  string
		Multiple bool
	} `json:"user_config"`
}

// arguments returns the arguments with which a host starts the server for directories.
func (m manifest) arguments(dirs ...string) []string {
	var args []string
	for _, a := range m.Server.Config.Args {
		if a == "${user_config.directories}" && m.User["directories"].Multiple {
			args = append(args, dirs...)
			continue
		}
		args = append(args, strings.ReplaceAll(a, "${user_config.tools}", m.User["tools"].Default))
	}
	return args
}

// checkBundle unpacks a bundle and starts its server as a host does.
func checkBundle(t *testing.T, r release) {
	bundle, dir := r.path(r.bundleName(here())), t.TempDir()
	unzip(t, bundle, dir)
	var m manifest
	if err := load(filepath.Join(dir, "manifest.json"), &m); err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(bundle)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	info, err := fs.Stat(z, m.Server.EntryPoint)
	if err != nil || info.Mode().Perm() != 0o755 || info.ModTime().Year() < 1980 {
		t.Fatalf("%v, %v", info, err)
	}
	system, _ := here().node()
	if m.Version != r.version || !slices.Equal(m.Compatibility.Platforms, []string{system}) {
		t.Errorf("%+v", m)
	}
	tools, err := defaultTools()
	if diff := cmp.Diff(tools, m.Tools); diff != "" || err != nil {
		t.Errorf("%v: tools (-default +manifest):\n%s", err, diff)
	}
	command := strings.ReplaceAll(m.Server.Config.Command, "${__dirname}", dir)
	if err := os.Chmod(command, 0o755); err != nil {
		t.Fatal(err)
	}
	checkServer(t, exec.CommandContext(t.Context(), command, m.arguments(t.TempDir(), t.TempDir())...))
}
