//go:build linux

// Command bench measures gander with large directories, trees and files, together with other
// programs and a floor: the minimum of system calls that a question requires. It checks only that
// calls succeed.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"gander/bench/data"
)

func main() {
	var o options
	flag.StringVar(&o.scale, "scale", "tenth", "amount of data: full, tenth or hundredth")
	flag.StringVar(&o.dir, "dir", filepath.Join(os.TempDir(), "gander-bench"),
		"directory with a folder of data for each scale, made if it is missing")
	flag.IntVar(&o.rounds, "rounds", 5, "number of measurements of each program")
	flag.StringVar(&o.run, "run", "", "measure only the rows that match this regular expression")
	flag.StringVar(&o.gander, "gander", "", "measure this program instead of building gander")
	flag.StringVar(&o.picture, "picture", "", "also draw the main figures to this SVG file")
	flag.StringVar(&o.npmServer, "npm-server", os.Getenv("MCP_SERVER_FILESYSTEM"),
		"dist/index.js of the npm package @modelcontextprotocol/server-filesystem")
	flag.StringVar(&o.ripgrepServer, "ripgrep-server", os.Getenv("MCP_SERVER_RIPGREP"),
		"dist/index.js of the npm package mcp-ripgrep")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	scale, dir, run, gander, picture, npmServer, ripgrepServer string
	rounds                                                     int
}

// run makes the data and the programs, and writes a table for each row.
func run(ctx context.Context, o options, out io.Writer) error {
	only, err := regexp.Compile(o.run)
	if err != nil {
		return err
	}
	set, err := data.At(o.dir, o.scale)
	if err != nil {
		return err
	}
	if err := set.Make(); err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "gander-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	b, err := newBench(ctx, temp, set, o)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Scale %s, %d cores, %s.\n", o.scale, runtime.NumCPU(), runtime.Version())
	var charts []chart
	for _, r := range b.rows() {
		if !only.MatchString(r.name) || ctx.Err() != nil {
			continue
		}
		samples := r.measure(ctx, o.rounds)
		r.print(out, samples)
		if title, ok := pictureTitles[r.name]; ok {
			charts = append(charts, chart{title, barsOf(r, samples)})
		}
	}
	if ctx.Err() != nil || o.picture == "" {
		return ctx.Err()
	}
	return writePicture(o.picture, charts)
}

// A bench holds the data and the programs.
type bench struct {
	options
	data   data.Set
	source string // path of Go's source
	search string // path of a program
	config string // path of a configuration of gander without limits
}

// newBench builds the programs in dir.
func newBench(ctx context.Context, dir string, set data.Set, o options) (*bench, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	b := &bench{
		options: o, data: set, source: filepath.Join(strings.TrimSpace(string(root)), "src"),
		config: filepath.Join(dir, "unlimited.toml"), search: filepath.Join(dir, "search"),
	}
	if err := build(ctx, b.search, "gander/bench/search"); err != nil {
		return nil, err
	}
	if b.gander == "" {
		b.gander = filepath.Join(dir, "gander")
		if err := build(ctx, b.gander, "gander/cmd/gander"); err != nil {
			return nil, err
		}
	}
	const unlimited = "[limits]\nmax_output_bytes = 0\ntimeout = \"0s\"\nmax_calls = 1\n"
	return b, os.WriteFile(b.config, []byte(unlimited), 0o644)
}

// build builds a package without cgo, like a release.
func build(ctx context.Context, program, pkg string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-o", program, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot build %s: %w\n%s", pkg, err, out)
	}
	return nil
}
