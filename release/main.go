// Command release makes the files of a release for every platform: archives with the program, its manual pages and completions;
// npm packages; MCP bundles; bills of materials; a Homebrew formula; the server's entry for the MCP registry; and checksums. The
// same source, version and Go release give the same bytes, in any directory and on any system.
//
//	go run ./release -version 1.2.3 -output dist
//	go run ./release -module github.com/OWNER/gander
//	go run ./release -licenses FILE
package main

import (
	"context"
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
	module  module
	version string
	output  string
	url     string // the archives and bundles will be published below this URL
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

// name returns the name of a published file for t without its extension.
func (r release) name(t target) string {
	return fmt.Sprintf("gander-%s-%s-%s", r.version, t.system, t.arch)
}

// path returns the path of a file in the output directory.
func (r release) path(name string) string { return filepath.Join(r.output, name) }

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
	flags.StringVar(&r.url, "url", "", "the archives and bundles will be published below `URL` (default: releases/download/vVERSION below the repository's in server.json)")
	flags.StringVar(&r.image, "image", "", "the container `IMAGE`, without a tag (default: as in server.json)")
	targets := flags.String("targets", allTargets, "build for the platforms in `LIST`")
	modulePath := flags.String("module", "", "instead of a release, give the module in this directory the import path `PATH`")
	program := flags.String("licenses", "", "instead of a release, print the licenses of what the program `FILE` contains")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var err error
	if r.module, err = mainModule(ctx); err != nil {
		return err
	}
	switch {
	case *modulePath != "":
		return r.module.rename(ctx, *modulePath, r.image, out)
	case *program != "":
		licenses, err := licenses(ctx, r.module, *program)
		if err != nil {
			return err
		}
		_, err = out.Write(licenses)
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
	if err := os.MkdirAll(r.output, 0o755); err != nil {
		return err
	}
	if there, err := os.ReadDir(r.output); err != nil || len(there) > 0 {
		return errors.Join(err, fmt.Errorf("%s is not empty; name an empty directory with -output", r.output))
	}
	manual, err := manual(r.version)
	if err != nil {
		return err
	}
	entry, err := r.entry()
	if err != nil {
		return err
	}
	if r.url == "" {
		r.url = fmt.Sprintf("%s/releases/download/v%s", entry.Repository.URL, r.version)
	}
	for _, t := range r.targets {
		p, err := r.build(ctx, t)
		if err != nil {
			return err
		}
		err = errors.Join(r.archive(p, manual), r.bundle(p), r.platformPackage(p, entry), r.bill(p))
		if err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	if err := errors.Join(r.launcher(entry), r.formula(entry), r.writeEntry(entry)); err != nil {
		return err
	}
	return r.writeSums(out)
}
