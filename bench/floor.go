//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// floor returns a program that makes only system calls, in this process.
func floor(name string, pass func() error) program {
	return program{name: "floor: " + name, measure: func(context.Context) (sample, error) {
		start, before := time.Now(), processorTime(0)
		err := pass()
		return sample{took: time.Since(start), cpu: processorTime(0) - before}, err
	}}
}

// readDirectory reads the records of a directory.
func readDirectory(path string) error {
	d, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("cannot open %s: %w", path, err)
	}
	defer unix.Close(d)
	_, err = records(d, make([]byte, 32<<10), nil)
	return err
}

// readTree reads the records of a directory and of all directories below it.
func readTree(path string) error {
	d, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("cannot open %s: %w", path, err)
	}
	return readBelow(d, make([]byte, 32<<10))
}

// readBelow reads the directory d and the directories below it, and closes d.
func readBelow(d int, buffer []byte) error {
	defer unix.Close(d)
	names, err := records(d, buffer, nil)
	if err != nil {
		return err
	}
	for name := range bytes.SplitSeq(bytes.TrimSuffix(names, []byte{0}), []byte{0}) {
		if len(name) == 0 {
			break
		}
		child, err := unix.Openat(d, string(name), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err == nil {
			err = readBelow(child, buffer)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// records reads the records of d, and appends the names of directories, each with a NUL, to names.
func records(d int, buffer, names []byte) ([]byte, error) {
	for {
		n, err := unix.Getdents(d, buffer)
		if err != nil || n <= 0 {
			return names, err
		}
		for at := 0; at < n; {
			record := buffer[at : at+int(binary.NativeEndian.Uint16(buffer[at+16:]))]
			at += len(record)
			name, _, _ := bytes.Cut(record[19:], []byte{0})
			if record[18] == unix.DT_DIR && string(name) != "." && string(name) != ".." {
				names = append(append(names, name...), 0)
			}
		}
	}
}

// countLines counts the line feeds of a file before a line.
func countLines(path string, line int) error {
	f, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("cannot open %s: %w", path, err)
	}
	defer unix.Close(f)
	block := make([]byte, 256<<10)
	for total, offset := 0, int64(0); total < line; {
		n, err := unix.Pread(f, block, offset)
		if err != nil || n == 0 {
			return err
		}
		total += bytes.Count(block[:n], []byte("\n"))
		offset += int64(n)
	}
	return nil
}
