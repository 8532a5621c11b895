// Command release makes what goreleaser does not: the licenses and manual pages for its archives,
// and from its programs the npm packages, the MCP bundles and the entry for the MCP registry.
//
//	go run ./release -licenses THIRD_PARTY_LICENSES
//	go run ./release -manual man -date 2026-01-31T12:00:00Z
//	goreleaser release --clean --skip=publish
//	go run ./release -dist dist
package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	dist := flags.String("dist", "dist", "read goreleaser's output in `DIR`, and write to it")
	licenses := flags.String("licenses", "", "instead, write the licenses of all modules to `FILE`")
	manual := flags.String("manual", "", "instead, write the manual pages to the new `DIR`")
	date := flags.String("date", "", "the `TIME` of the manual pages, as 2006-01-02T15:04:05Z")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if _, err := os.Stat("release/manifest.json"); err != nil {
		return errors.New("this is not gander's source directory; run the command there")
	}
	switch {
	case *licenses != "":
		return writeLicenses(*licenses)
	case *manual != "":
		return writeManual(*manual, *date)
	}
	r, err := open(*dist)
	if err != nil {
		return err
	}
	return r.make()
}

// A release is the output of one run of goreleaser, and the entry of the source in server.json.
type release struct {
	dist, version string
	programs      []program
	entry         entry
}

// A program is the program for one platform, by Go's names.
type program struct{ Path, Goos, Goarch, Type string }

// A document is a JSON object.
type document = map[string]any

// open reads the lists of artifacts and metadata that goreleaser has written.
func open(dist string) (release, error) {
	var metadata struct{ Version string }
	var artifacts []program
	err := errors.Join(
		load(filepath.Join(dist, "metadata.json"), &metadata),
		load(filepath.Join(dist, "artifacts.json"), &artifacts),
	)
	if err != nil {
		return release{}, err
	}
	r := release{dist: dist, version: metadata.Version}
	for _, a := range artifacts {
		if a.Type == "Binary" {
			r.programs = append(r.programs, a)
		}
	}
	if r.version == "" || len(r.programs) == 0 {
		return r, fmt.Errorf("%s: no version or no program; run goreleaser first", dist)
	}
	return r, load("server.json", &r.entry)
}

// make writes the packages, the bundles, the entry, and their checksums.
func (r release) make() error {
	if err := writeLicenses(r.path(licensesFile)); err != nil {
		return err
	}
	made := []string{"server.json"}
	for _, p := range r.programs {
		pkg, err := r.platformPackage(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Path, err)
		}
		bundle, err := r.bundle(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Path, err)
		}
		made = append(made, pkg, bundle)
	}
	launcher, err := r.launcher()
	if err != nil {
		return err
	}
	if err := r.writeEntry(); err != nil {
		return err
	}
	return r.addSums(append(made, launcher))
}

func (r release) path(name string) string { return filepath.Join(r.dist, name) }

func (p program) name() string {
	if p.Goos == "windows" {
		return "gander.exe"
	}
	return "gander"
}

// node returns the platform by the names of Node.js.
func (p program) node() (system, arch string) {
	names := strings.NewReplacer("windows", "win32", "amd64", "x64")
	return names.Replace(p.Goos), names.Replace(p.Goarch)
}

// load decodes a JSON file.
func load(file string, into any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// addSums adds the checksums of files to those that goreleaser has written.
func (r release) addSums(names []string) error {
	sums, err := os.OpenFile(r.path("SHA256SUMS"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	for _, name := range names {
		sum, wrong := r.checksum(name)
		_, unwritten := fmt.Fprintf(sums, "%s  %s\n", sum, name)
		err = errors.Join(err, wrong, unwritten)
	}
	return errors.Join(err, sums.Close())
}

func (r release) checksum(name string) (string, error) {
	data, err := os.ReadFile(r.path(name))
	return fmt.Sprintf("%x", sha256.Sum256(data)), err
}
