// Command picture draws the terminal session that the README shows. It runs the commands of the session in testdata/sample and writes
// docs/terminal-light.svg and docs/terminal-dark.svg.
//
//	go run ./release/picture
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := write(ctx, ".", "docs"); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

// write writes the pictures to a directory. The top directory of the module is where the source is.
func write(ctx context.Context, top, to string) error {
	session, err := run(ctx, top)
	if err != nil {
		return err
	}
	for _, t := range themes() {
		picture, err := t.draw(string(session))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, "terminal-"+t.name+".svg"), picture, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// commands returns the arguments of gander in the session, as they are typed.
func commands() []string {
	return []string{
		"list -L 2",
		"search 'low water' -C 1",
		"read tide/causeway.py:6 -n 5",
		"read --root . /etc/passwd",
	}
}

// run runs the session and returns what a terminal would get.
func run(ctx context.Context, top string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "gander-picture")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	build := exec.CommandContext(ctx, "go", "build", "-o", dir, "./cmd/gander")
	build.Dir = top
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	sample, err := filepath.Abs(filepath.Join(top, "testdata", "sample"))
	if err != nil {
		return nil, err
	}
	var session bytes.Buffer
	for _, c := range commands() {
		fmt.Fprintf(&session, "\x1b[2m$\x1b[0m \x1b[1mgander %s\x1b[0m\n", c)
		cmd := exec.CommandContext(ctx, "sh", "-c", "exec gander "+c)
		cmd.Dir = sample
		cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if exit, failed := errors.AsType[*exec.ExitError](err); err != nil && (!failed || exit.ExitCode() == 2) {
			return nil, fmt.Errorf("gander %s: %w\n%s", c, err, out)
		}
		// The picture does not depend on where the source is.
		session.Write(bytes.ReplaceAll(bytes.TrimRight(out, "\n"), []byte(sample), []byte("/sample")))
		session.WriteByte('\n')
	}
	return session.Bytes(), nil
}
