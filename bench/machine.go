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

// machine describes the machine.
func machine() (string, error) {
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
	load, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s, %d cores (load before: %s), %.0f GB of memory, Linux %s, %s", processor(), runtime.NumCPU(),
		strings.Fields(string(load))[0], float64(memory)/1e9, unix.ByteSliceToString(name.Release[:]), runtime.Version()), nil
}

// processor returns the model name of the first processor.
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

// kibibytes returns the value of a key in a text like /proc/meminfo, converted to bytes.
func kibibytes(text []byte, key string) (int64, error) {
	_, rest, found := bytes.Cut(text, []byte(key))
	fields := bytes.Fields(rest)
	if !found || len(fields) == 0 {
		return 0, fmt.Errorf("the kernel does not report %s", key)
	}
	n, err := strconv.ParseInt(string(fields[0]), 10, 64)
	return n << 10, err
}
