package main

import (
	"bytes"
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

const licensesFile = "THIRD_PARTY_LICENSES"

// pdfiumLicenses has the licenses of PDFium and of what it contains, which are not Go modules.
const pdfiumLicenses = "release/pdfium/LICENSES"

// writeLicenses writes the licenses and notices of Go, of every module that the program links on
// any platform, and of PDFium.
func writeLicenses(file string) error {
	const format = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}"
	goroot, err := goCommand("", "env", "GOROOT")
	if err != nil {
		return err
	}
	dirs := map[string]string{"Go " + strings.TrimPrefix(runtime.Version(), "go"): goroot}
	for _, system := range []string{"linux", "darwin", "windows"} {
		out, err := goCommand(system, "list", "-deps", "-f", format, "./cmd/gander")
		if err != nil {
			return err
		}
		for line := range strings.Lines(out) {
			title, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
			dirs[title] = dir
		}
	}
	var all bytes.Buffer
	for _, title := range slices.Sorted(maps.Keys(dirs)) {
		if err := addLicenses(&all, title, dirs[title]); err != nil {
			return err
		}
	}
	pdfium, err := os.ReadFile(pdfiumLicenses)
	if err != nil {
		return err
	}
	all.Write(pdfium)
	return os.WriteFile(file, all.Bytes(), 0o644)
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

// goCommand returns the trimmed output of a go command for a system.
func goCommand(system string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), err
}
