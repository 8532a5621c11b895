//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// process measures a command from its start to its exit. Output goes to the null device.
func process(command ...string) measurement {
	return func(ctx context.Context) (sample, error) {
		cmd := exec.CommandContext(ctx, command[0], command[1:]...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		start := time.Now()
		err := cmd.Run()
		took := time.Since(start)
		if err != nil {
			return sample{}, fmt.Errorf("%w: %.200s", err, stderr.String())
		}
		return sample{took: took, peak: peakOf(cmd.ProcessState)}, nil
	}
}

// peakOf returns the most memory that was resident in a process or one of its children, in bytes. It is never less than what this
// process has had, which the kernel includes.
func peakOf(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return int64(usage.Maxrss) << 10
}

// build compiles a package of this module into dir and returns the path of the program. It disables cgo, as a release does: a
// dynamically linked program starts half a millisecond later.
func build(ctx context.Context, dir, pkg string) (string, error) {
	program := filepath.Join(dir, filepath.Base(pkg))
	cmd := exec.CommandContext(ctx, "go", "build", "-o", program, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot build %s: %w\n%s", pkg, err, out)
	}
	return program, nil
}
