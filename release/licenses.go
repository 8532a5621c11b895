package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
)

// licenses returns the licenses and notices of everything but gander that the program in a file contains: of Go and of the modules
// that the build has linked.
func licenses(ctx context.Context, m module, program string) ([]byte, error) {
	build, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	goroot, err := output(ctx, m.dir, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	var all bytes.Buffer
	if err := addLicenses(&all, "Go "+strings.TrimPrefix(build.GoVersion, "go"), goroot); err != nil {
		return nil, err
	}
	query := []string{"list", "-m", "-f", "{{.Path}} {{.Version}}\t{{.Dir}}"}
	for _, d := range build.Deps {
		query = append(query, linked(d).Path+"@"+linked(d).Version)
	}
	modules, err := output(ctx, m.dir, query...)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(modules) {
		title, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if err := addLicenses(&all, title, dir); err != nil {
			return nil, err
		}
	}
	return all.Bytes(), nil
}

// linked returns the module that takes the place of d in a program.
func linked(d *debug.Module) *debug.Module {
	if d.Replace != nil {
		return d.Replace
	}
	return d
}

// addLicenses adds the licenses in a directory, which is that of the software with this title.
func addLicenses(all *bytes.Buffer, title, dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := false
	for _, f := range files {
		if f.IsDir() || !regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)`).MatchString(f.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(all, "==== %s: %s ====\n\n%s\n", title, f.Name(), bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
		found = true
	}
	if !found {
		return fmt.Errorf("%s: no license in %s", title, dir)
	}
	return nil
}

// output returns what a go command in dir prints, without the white space around it.
func output(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, &stderr)
	}
	return strings.TrimSpace(string(out)), nil
}
