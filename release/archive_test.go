package main

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// checkArchive unpacks an archive and starts the server in it, on a machine that has a shell and tar, but no Go.
func checkArchive(t *testing.T, r result) {
	dir := t.TempDir()
	unpacked := filepath.Join(dir, r.name(here()))
	if runtime.GOOS == "windows" {
		unzip(t, r.path(r.name(here())+".zip"), dir)
		checkServer(t, exec.CommandContext(t.Context(), filepath.Join(unpacked, "gander.exe"), "mcp", "--root", dir))
	} else {
		sh := exec.CommandContext(t.Context(), "/bin/sh", "-c", `tar -xzf "$1" && exec "$2/gander" mcp --root .`, "sh", r.path(r.name(here())+".tar.gz"), unpacked)
		sh.Dir = dir
		sh.Env = []string{"PATH=" + toolbox(t, "tar", "gzip")}
		checkServer(t, sh)
	}
	for name, want := range map[string]string{
		"LICENSE":                "Apache License",
		"THIRD_PARTY_LICENSES":   "==== Go 1.",
		"man/man1/gander.1":      `.TH "GANDER" "1" "" "gander 1.2.3-rc.1" ""`,
		"man/man1/gander-mcp.1":  `.TH "GANDER-MCP" "1" "" "gander 1.2.3-rc.1" ""`,
		"completions/gander.ps1": "Register-ArgumentCompleter",
		"completions/_gander":    "#compdef gander",
	} {
		text, err := os.ReadFile(filepath.Join(unpacked, filepath.FromSlash(name)))
		if err != nil || !strings.Contains(strings.ReplaceAll(string(text), `\-`, "-"), want) {
			t.Errorf("%s: %v, no %q in it\n%.300s", name, err, want, text)
		}
	}
	checkLicenses(t, filepath.Join(unpacked, "THIRD_PARTY_LICENSES"))
	out, err := exec.Command(filepath.Join(unpacked, here().program()), "--version").Output()
	if err != nil || string(out) != "gander 1.2.3-rc.1\n" {
		t.Errorf("%v: it says %q", err, out)
	}
}

// checkLicenses: every module that the program links is in the file.
func checkLicenses(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", "./cmd/gander")
	cmd.Dir = top(t)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	modules, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for module := range strings.Lines(string(modules)) {
		if !strings.Contains(string(text), "==== "+strings.TrimSpace(module)+": LICENSE") {
			t.Errorf("no license of %s", module)
		}
		count++
	}
	if count == 0 {
		t.Error("no modules")
	}
}

// toolbox returns a directory with links to programs of this machine, as the only directory of a PATH.
func toolbox(t *testing.T, programs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, p := range programs {
		path, err := exec.LookPath(p)
		if err != nil {
			t.Skipf("this needs %s: %v", p, err)
		}
		if err := os.Symlink(path, filepath.Join(dir, p)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// unzip unpacks an archive.
func unzip(t *testing.T, archive, dir string) {
	t.Helper()
	z, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if err := os.CopyFS(dir, z); err != nil {
		t.Fatal(err)
	}
}
