//go:build linux

// Command bench measures gander on large directories, trees and files, next to other programs and to a floor: the system calls
// that the question needs at least. Package data makes the data. Answers are checked only for success; the tests check the rest.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"

	"gander/bench/data"
)

type options struct {
	scale, dir, run, gander, npmServer, ripgrepServer string
	rounds                                            int
}

func main() {
	var o options
	flag.StringVar(&o.scale, "scale", "tenth", "amount of data: full (a million entries, 2 GB of text), tenth or hundredth")
	flag.StringVar(&o.dir, "dir", "", "directory of the data, made if it is missing (default gander-bench/SCALE in the temporary directory)")
	flag.IntVar(&o.rounds, "rounds", 5, "how often each program is measured; quick rows repeat this twice or four times")
	flag.StringVar(&o.run, "run", "", "measure only the rows whose names match this regular expression")
	flag.StringVar(&o.gander, "gander", "", "measure this program instead of building gander")
	flag.StringVar(&o.npmServer, "npm-server", os.Getenv("MCP_SERVER_FILESYSTEM"),
		"path of dist/index.js of the npm package @modelcontextprotocol/server-filesystem (default $MCP_SERVER_FILESYSTEM)")
	flag.StringVar(&o.ripgrepServer, "ripgrep-server", os.Getenv("MCP_SERVER_RIPGREP"),
		"path of dist/index.js of the npm package mcp-ripgrep 0.4.0 (default $MCP_SERVER_RIPGREP)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run makes the data and the programs, and writes the tables to out.
func run(ctx context.Context, o options, out, progress io.Writer) error {
	only, err := regexp.Compile(o.run)
	if err != nil {
		return err
	}
	if o.rounds < 1 {
		return fmt.Errorf("-rounds is %d; it must be at least 1", o.rounds)
	}
	set, err := prepare(o, progress)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "gander-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	b, err := newBench(ctx, temp, set, o.gander)
	if err != nil {
		return err
	}
	b.npmServer, b.ripgrepServer = o.npmServer, o.ripgrepServer
	about, err := machine()
	if err != nil {
		return err
	}
	rows := b.rows(only)
	if len(rows) == 0 {
		return fmt.Errorf("no row matches -run %q", o.run)
	}
	fmt.Fprintf(out, "Scale %s, %d rounds. %s.\n\n%s", o.scale, o.rounds, about, legend)
	return measure(ctx, rows, o.rounds, out, progress)
}

// prepare makes the data.
func prepare(o options, progress io.Writer) (data.Set, error) {
	dir := o.dir
	if dir == "" {
		dir = filepath.Join(os.TempDir(), "gander-bench", o.scale)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return data.Set{}, err
	}
	set, err := data.At(dir, o.scale)
	if err != nil {
		return data.Set{}, err
	}
	return set, set.Make(func(doing string) { fmt.Fprintln(progress, doing) })
}

// measure writes the table of each row once it is measured, and the table of the goals at the end.
func measure(ctx context.Context, rows []row, rounds int, out, progress io.Writer) error {
	results := make([][]*result, len(rows))
	for i, r := range rows {
		fmt.Fprintln(progress, "measuring", r.name)
		results[i] = r.measure(ctx, rounds)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		printRow(out, r, results[i])
	}
	printGoalsHead(out)
	for i, r := range rows {
		printGoals(out, r, results[i])
	}
	return nil
}

// rows returns the rows whose names match, in order.
func (b bench) rows(only *regexp.Regexp) []row {
	var matching []row
	for _, r := range slices.Concat(b.directoryRows(), b.treeRows(), b.fileRows(), b.searchRows(), b.cancelRows(), b.startRows(), b.officialRows()) {
		if only.MatchString(r.name) {
			matching = append(matching, r)
		}
	}
	return matching
}
