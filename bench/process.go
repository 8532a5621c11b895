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
		return processSample(took, cmd.ProcessState), nil
	}
}

// processSample returns the sample of a process that has ended, and of its children. Its memory is never less than what this process
// has had, which the kernel includes.
func processSample(took time.Duration, state *os.ProcessState) sample {
	s := sample{took: took, cpu: state.UserTime() + state.SystemTime()}
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		s.peak = int64(usage.Maxrss) << 10
	}
	return s
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
