//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// machine describes where the measurements are made, with dir's file system.
func machine(dir string) (string, error) {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return "", err
	}
	info, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return "", err
	}
	memory, err := kibibytes(info, "MemTotal:")
	if err != nil {
		return "", err
	}
	fs, err := fileSystem(dir)
	if err != nil {
		return "", err
	}
	load, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s, %d cores (load before: %s), %.0f GB of memory, Linux %s, %s, %s", processor(), runtime.NumCPU(),
		strings.Fields(string(load))[0], float64(memory)/1e9, unix.ByteSliceToString(name.Release[:]), fs, runtime.Version()), nil
}

// processor returns the name of the first processor.
func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(info)) {
		if key, value, _ := strings.Cut(line, ":"); strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// fileSystem returns the type of the file system that dir lies on.
func fileSystem(dir string) (string, error) {
	var stat unix.Stat_t
	if err := unix.Stat(dir, &stat); err != nil {
		return "", &os.PathError{Op: "stat", Path: dir, Err: err}
	}
	device := fmt.Sprintf("%d:%d", unix.Major(stat.Dev), unix.Minor(stat.Dev))
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(mounts)) {
		fields, options, _ := strings.Cut(line, " - ")
		if f := strings.Fields(fields); len(f) > 2 && f[2] == device {
			return strings.Fields(options)[0], nil
		}
	}
	return "an unknown file system", nil
}

// kibibytes returns the value of a key in a text like /proc/meminfo, in bytes.
func kibibytes(text []byte, key string) (int64, error) {
	_, rest, found := bytes.Cut(text, []byte(key))
	fields := bytes.Fields(rest)
	if !found || len(fields) == 0 {
		return 0, fmt.Errorf("the kernel does not say %s", key)
	}
	n, err := strconv.ParseInt(string(fields[0]), 10, 64)
	return n << 10, err
}
