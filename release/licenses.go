package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// licenses returns the licenses and notices of Go and of every module that the program links on
// any platform.
func licenses(ctx context.Context) ([]byte, error) {
	const format = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}"
	modules := map[string]string{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		out, err := goCommand(ctx, []string{"GOOS=" + system}, "list", "-deps", "-f", format, "./cmd/gander")
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(out) {
			title, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
			modules[title] = dir
		}
	}
	goroot, err := goCommand(ctx, nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	var all bytes.Buffer
	if err := addLicenses(&all, "Go "+strings.TrimPrefix(runtime.Version(), "go"), goroot); err != nil {
		return nil, err
	}
	for _, title := range slices.Sorted(maps.Keys(modules)) {
		if err := addLicenses(&all, title, modules[title]); err != nil {
			return nil, err
		}
	}
	return all.Bytes(), nil
}

// addLicenses adds the licenses in the directory of the software with this title.
func addLicenses(all *bytes.Buffer, title, dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	license := regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)`)
	found := false
	for _, f := range files {
		if f.IsDir() || !license.MatchString(f.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		fmt.Fprintf(all, "==== %s: %s ====\n\n%s\n", title, f.Name(), text)
		found = true
	}
	if !found {
		return fmt.Errorf("%s: no license in %s", title, dir)
	}
	return nil
}

// goCommand returns what a go command prints, without the white space around it.
func goCommand(ctx context.Context, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(append(os.Environ(), "CGO_ENABLED=0"), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, &stderr)
	}
	return strings.TrimSpace(string(out)), nil
}
