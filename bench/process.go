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

// process measures a command from spawn to exit. Its output goes to the null device.
func process(words ...string) measurement { return processIn(nil, words...) }

// processIn is like process, with more in the environment.
func processIn(env []string, words ...string) measurement {
	return func(ctx context.Context) (sample, error) {
		cmd := exec.CommandContext(ctx, words[0], words[1:]...)
		cmd.Env = append(os.Environ(), env...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		start := time.Now()
		err := cmd.Run()
		took := time.Since(start)
		if err != nil {
			return sample{}, fmt.Errorf("%w: %.200s", err, stderr.String())
		}
		state := cmd.ProcessState
		return sample{took: took, cpu: state.UserTime() + state.SystemTime(), peak: peakOf(state)}, nil
	}
}

// peakOf returns the most memory that a process has had, in bytes, and 0 where that cannot be known: the kernel counts
// what its parent had when it was spawned.
func peakOf(state *os.ProcessState) int64 {
	var own syscall.Rusage
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok || syscall.Getrusage(syscall.RUSAGE_SELF, &own) != nil || usage.Maxrss <= own.Maxrss {
		return 0
	}
	return usage.Maxrss << 10
}

// build compiles a package of this module into dir and returns the path of the program. It does without cgo, as releases
// are: a program that is linked dynamically starts half a millisecond later.
func build(ctx context.Context, dir, pkg string) (string, error) {
	program := filepath.Join(dir, filepath.Base(pkg))
	cmd := exec.CommandContext(ctx, "go", "build", "-o", program, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot build %s: %w\n%s", pkg, err, out)
	}
	return program, nil
}
