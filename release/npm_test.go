package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// checkPackages installs the npm packages without a registry, and starts the server, on a machine
// that has Node.js but no Go.
func checkPackages(t *testing.T, r release) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skipf("this needs npm: %v", err)
	}
	system, arch := here().node()
	platform := "@example/gander-" + system + "-" + arch
	home := t.TempDir()
	command := func(program string, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Dir = home
		cmd.Env = append(os.Environ(), "HOME="+home, "npm_config_update_notifier=false",
			"npm_config_cache="+filepath.Join(home, "cache"))
		if runtime.GOOS != "windows" { // without Go
			cmd.Env = append(cmd.Env, "PATH="+filepath.Dir(npm)+":/usr/bin:/bin")
		}
		return cmd
	}
	files := []string{
		r.path("example-gander-" + r.version + ".tgz"),
		r.path(strings.Replace(platform[1:], "/", "-", 1) + "-" + r.version + ".tgz"),
	}
	finish(t, command(npm, append([]string{"install", "--offline", "--no-audit"}, files...)...))
	gander := filepath.Join(home, "node_modules", ".bin", "gander")
	checkServer(t, command(gander, "mcp", "--root", home))

	// The launcher passes on arguments, standard error and the exit code.
	out, err := command(gander, "--unknown").CombinedOutput()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.ExitCode() != 2 || !strings.Contains(string(out), "unknown flag: --unknown") {
		t.Errorf("%v: %s", err, out)
	}

	launcher := filepath.Join(home, "node_modules", "@example", "gander")
	checkLauncher(t, r, launcher, platform)

	// Without the package for the platform, the launcher names it.
	must(t, os.RemoveAll(launcher+strings.TrimPrefix(platform, "@example/gander")))
	out, err = command(gander, "--version").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "the package "+platform) {
		t.Errorf("%v: %s", err, out)
	}
}

// checkLauncher checks the files of the installed package that users name.
func checkLauncher(t *testing.T, r release, launcher, platform string) {
	t.Helper()
	var description document
	must(t, load(filepath.Join(launcher, "package.json"), &description))
	want := document{
		"name": "@example/gander", "version": r.version, "mcpName": r.entry.Name, "scripts": nil,
		"description": r.entry.Description, "optionalDependencies": document{platform: r.version},
	}
	for key, value := range want {
		if diff := cmp.Diff(value, description[key]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	for _, file := range []string{"README.md", "LICENSE"} {
		if text, err := os.ReadFile(filepath.Join(launcher, file)); len(text) < 500 {
			t.Errorf("%v: %s is %q", err, file, text)
		}
	}
}
