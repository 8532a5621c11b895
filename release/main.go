// Command release makes what goreleaser does not: the licenses for its archives, and from its
// programs the npm packages, the MCP bundles and the entry for the MCP registry.
//
//	go run ./release -licenses THIRD_PARTY_LICENSES
//	goreleaser release --clean --skip=publish
//	go run ./release -dist dist
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	dist := flags.String("dist", "dist", "read goreleaser's output in `DIR`, and write to it")
	into := flags.String("licenses", "", "instead, write the licenses of all modules to `FILE`")
	url := flags.String("url", "", "the `URL` of the release's files (default: below the repository)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join("release", "manifest.json")); err != nil {
		return errors.New("this is not gander's source directory; run the command there")
	}
	if *into != "" {
		text, err := licenses(ctx)
		if err != nil {
			return err
		}
		return os.WriteFile(*into, text, 0o644)
	}
	r, err := open(*dist)
	if err != nil {
		return err
	}
	if r.url = *url; r.url == "" {
		r.url = fmt.Sprintf("%s/releases/download/v%s", r.entry.Repository.URL, r.version)
	}
	return r.make(ctx)
}

// A release is the output of one run of goreleaser, and the entry of the source in server.json.
type release struct {
	dist, version, url string
	programs           []program
	entry              entry
	licenses           []byte // of everything that is linked
}

// A program is the program for one platform, by Go's names.
type program struct {
	Path, Goos, Goarch, Type string
}

// open reads the lists of artifacts and metadata that goreleaser has written.
func open(dist string) (release, error) {
	r := release{dist: dist}
	var metadata struct{ Version string }
	var artifacts []program
	err := errors.Join(
		load(filepath.Join(dist, "metadata.json"), &metadata),
		load(filepath.Join(dist, "artifacts.json"), &artifacts),
		load("server.json", &r.entry),
	)
	if err != nil {
		return release{}, err
	}
	for _, a := range artifacts {
		if a.Type == "Binary" {
			r.programs = append(r.programs, a)
		}
	}
	if r.version = metadata.Version; r.version == "" || len(r.programs) == 0 {
		return release{}, fmt.Errorf("%s: no version or no program; run goreleaser first", dist)
	}
	return r, r.entry.check()
}

// make writes the packages, the bundles, the entry, and their checksums.
func (r release) make(ctx context.Context) error {
	var err error
	if r.licenses, err = licenses(ctx); err != nil {
		return err
	}
	var made []string
	for _, p := range r.programs {
		name, err := r.platformPackage(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		bundle, err := r.bundle(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		made = append(made, name, bundle)
	}
	launcher, err := r.launcher()
	if err != nil {
		return err
	}
	if err := r.writeEntry(); err != nil {
		return err
	}
	return r.addSums(append(made, launcher, "server.json"))
}

func (r release) path(name string) string { return filepath.Join(r.dist, name) }

func (p program) String() string { return p.Goos + "/" + p.Goarch }

// name returns the file name of the program.
func (p program) name() string {
	if p.Goos == "windows" {
		return "gander.exe"
	}
	return "gander"
}

// node returns the platform by the names of Node.js.
func (p program) node() (system, arch string) {
	system, arch = p.Goos, p.Goarch
	if system == "windows" {
		system = "win32"
	}
	if arch == "amd64" {
		arch = "x64"
	}
	return system, arch
}

// files returns what every copy of the program comes with: the program, as name, and the licenses.
func (r release) files(p program, name string) ([]file, error) {
	// goreleaser's paths are relative to the source.
	data, err := os.ReadFile(p.Path)
	if err != nil {
		return nil, err
	}
	license, err := os.ReadFile("LICENSE")
	return []file{
		{name, 0o755, data},
		{"LICENSE", 0o644, license},
		{"THIRD_PARTY_LICENSES", 0o644, r.licenses},
	}, err
}

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

func encode(value any) ([]byte, error) {
	text, err := json.MarshalIndent(value, "", "  ")
	return append(text, '\n'), err
}
