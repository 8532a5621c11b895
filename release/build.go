package main

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A program is what a release has of the program for a platform.
type program struct {
	target   target
	data     []byte
	build    *buildinfo.BuildInfo
	license  []byte // of gander
	licenses []byte // of everything else in the program
}

// files returns what everybody who gets the program must get: the program, as name, and the licenses.
func (p program) files(name string) []file {
	return []file{
		{name, 0o755, p.data},
		{"LICENSE", 0o644, p.license},
		{"THIRD_PARTY_LICENSES", 0o644, p.licenses},
	}
}

// build builds the program for t.
func (r release) build(ctx context.Context, t target) (program, error) {
	dir, err := os.MkdirTemp("", "gander-release")
	if err != nil {
		return program{}, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, t.program())
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", linkerFlags(r.module.path, r.version), "-o", path, "./cmd/gander")
	cmd.Dir = r.module.dir
	cmd.Env = environment(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		return program{}, fmt.Errorf("building for %s: %w\n%s", t, err, out)
	}
	p := program{target: t}
	if p.data, err = os.ReadFile(path); err != nil {
		return program{}, err
	}
	if p.build, err = buildinfo.ReadFile(path); err != nil {
		return program{}, err
	}
	if p.license, err = os.ReadFile(filepath.Join(r.module.dir, "LICENSE")); err != nil {
		return program{}, err
	}
	p.licenses, err = licenses(ctx, r.module, path)
	return p, err
}

// linkerFlags returns the flags of the linker. The Dockerfile uses the same.
func linkerFlags(module, version string) string {
	return "-s -w -buildid= -X " + module + "/internal/cli.release=" + version
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
