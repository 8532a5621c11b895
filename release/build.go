package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// linkerFlags returns the flags of the linker. The Dockerfile uses the same.
func linkerFlags(version string) string {
	return "-s -w -buildid= -X gander/internal/frontend/cli.release=" + version
}

// build builds the program for t from the module in source.
func (r release) build(ctx context.Context, source string, t target, output string) error {
	path, err := filepath.Abs(output)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", linkerFlags(r.version), "-o", path, "./cmd/gander")
	cmd.Dir = source
	cmd.Env = environment(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building for %s: %w\n%s", t, err, out)
	}
	return nil
}

// environment returns the current environment with everything that could change the bytes of a program set to fixed values.
func environment(t target) []string {
	settings := []string{
		"CGO_ENABLED=0", "GOOS=" + t.system, "GOARCH=" + t.arch, "GOAMD64=v1", "GOARM64=v8.0",
		"GOFLAGS=", "GOEXPERIMENT=", "GOFIPS140=off", "GODEBUG=", "GOWORK=off",
	}
	env := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return slices.ContainsFunc(settings, func(s string) bool {
			name, _, _ := strings.Cut(s, "=")
			return strings.HasPrefix(variable, name+"=")
		})
	})
	return append(env, settings...)
}

// sourceDirectory returns the top directory of the module.
func sourceDirectory(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Path}} {{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("go list: %w", err)
	}
	dir, ok := strings.CutPrefix(strings.TrimSpace(string(out)), "gander ")
	if !ok {
		return "", errors.New("this is not gander's source directory; run the command there")
	}
	return dir, nil
}
