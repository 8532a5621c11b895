// Command release makes the files of a release: static programs for every platform, an MCP bundle for each, the server's entry
// for the MCP registry, manual pages with completions, and checksums. The same source, version and Go release give the same bytes, in any directory.
//
//	go run ./release -version 1.2.3 -output dist
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
)

// A release says what to make.
type release struct {
	version string
	output  string
	name    string // the server's name in the MCP registry; "" for the one in server.json
	url     string // the bundles will be published below this URL
	image   string // the container image without a tag; "" for the one in server.json
	targets []target
}

// A target is a platform, by Go's names.
type target struct{ system, arch string }

func (t target) String() string { return t.system + "/" + t.arch }

// program returns the file name of the program.
func (t target) program() string {
	if t.system == "windows" {
		return "gander.exe"
	}
	return "gander"
}

// file returns the name of a published file for t.
func (r release) file(t target, extension string) string {
	return fmt.Sprintf("gander-%s-%s-%s%s", r.version, t.system, t.arch, extension)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// allTargets are the platforms of a release.
const allTargets = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

func run(ctx context.Context, args []string, out io.Writer) error {
	var r release
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.StringVar(&r.version, "version", "", "release `VERSION`, as in 1.2.3")
	flags.StringVar(&r.output, "output", "dist", "write to the directory `DIR`, which must be empty or not exist")
	flags.StringVar(&r.name, "name", "", "the server's `NAME` in the MCP registry (default: as in server.json)")
	flags.StringVar(&r.url, "url", "https://example.com/gander-mcp", "the bundles will be published below `URL`")
	flags.StringVar(&r.image, "image", "", "the container `IMAGE`, without a tag (default: as in server.json)")
	targets := flags.String("targets", allTargets, "build for the platforms in `LIST`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if !regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`).MatchString(r.version) {
		return fmt.Errorf("the version is %q; give one like 1.2.3 or 1.2.3-rc.1 with -version", r.version)
	}
	for _, word := range strings.Split(*targets, ",") {
		system, arch, ok := strings.Cut(word, "/")
		if !ok {
			return fmt.Errorf("%q is not a platform; separate platforms such as linux/amd64 by commas", word)
		}
		r.targets = append(r.targets, target{system, arch})
	}
	return r.make(ctx, out)
}

// make writes all files of the release to the output directory, and the checksums to out as well.
func (r release) make(ctx context.Context, out io.Writer) error {
	source, err := sourceDirectory(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.output, 0o755); err != nil {
		return err
	}
	if there, err := os.ReadDir(r.output); err != nil || len(there) > 0 {
		return errors.Join(err, fmt.Errorf("%s is not empty; name an empty directory with -output", r.output))
	}
	var bundles []string
	for _, t := range r.targets {
		program := filepath.Join(r.output, r.file(t, filepath.Ext(t.program())))
		if err := r.build(ctx, source, t, program); err != nil {
			return err
		}
		bundle := filepath.Join(r.output, r.file(t, ".mcpb"))
		if err := r.bundle(source, t, program, bundle); err != nil {
			return err
		}
		bundles = append(bundles, bundle)
	}
	if err := r.entry(source, bundles); err != nil {
		return err
	}
	if err := r.writeManual(filepath.Join(r.output, "gander-"+r.version+"-manual.tar.gz")); err != nil {
		return err
	}
	return sums(r.output, out)
}

// sums writes the checksums of all files in dir to SHA256SUMS and to out, in the format of sha256sum.
func sums(dir string, out io.Writer) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var all strings.Builder
	for _, f := range files {
		sum, err := checksum(filepath.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&all, "%s  %s\n", sum, f.Name())
	}
	if err := os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(all.String()), 0o644); err != nil {
		return err
	}
	_, err = io.WriteString(out, all.String())
	return err
}

func checksum(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(data)), nil
}
