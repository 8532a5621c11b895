package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestContainer builds the image and starts the server in it, with the commands of the Dockerfile. The build loads the base image and
// modules, so it runs only if it is asked for.
func TestContainer(t *testing.T) {
	if os.Getenv("GANDER_RELEASE") == "" {
		t.Skip("this loads an image with Go; set GANDER_RELEASE=1 to run it")
	}
	if out, err := exec.Command("docker", "info").CombinedOutput(); err != nil {
		t.Skipf("this needs docker: %v: %.200s", err, out)
	}
	const image = "gander:test"
	build := exec.CommandContext(t.Context(), "docker", "build", "--build-arg", "VERSION=1.2.3", "-t", image, ".")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	top, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	docker := func(arguments ...string) *exec.Cmd {
		// The user of the image has no rights but those of others.
		sample := filepath.Join(top, "testdata", "sample")
		words := []string{"run", "-i", "--rm", "--network=none", "--read-only", "--cap-drop=ALL", "--mount", "type=bind,src=" + sample + ",dst=/workspace,readonly", image}
		return exec.CommandContext(t.Context(), "docker", append(words, arguments...)...)
	}
	checkServer(t, docker())
	if out, err := docker("--version").Output(); err != nil || string(out) != "gander 1.2.3\n" {
		t.Errorf("%v: it says %q", err, out)
	}
	if out, err := docker("read", "README.md", "--root", "/workspace").Output(); err != nil || len(out) == 0 {
		t.Errorf("%v: README.md is %q", err, out)
	}
}
