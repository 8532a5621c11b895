//go:build linux

package main

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/sys/unix"
)

const (
	bufferSize = 32 << 10
	directory  = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
)

// getdents reads the records of a directory and returns their number, including . and .. It reads only their lengths.
func getdents(path string) (int, error) {
	d, err := unix.Open(path, directory, 0)
	if err != nil {
		return 0, fmt.Errorf("cannot open %s: %w", path, err)
	}
	defer unix.Close(d)
	buffer := make([]byte, bufferSize)
	total := 0
	for {
		n, err := unix.Getdents(d, buffer)
		if err != nil || n == 0 {
			return total, err
		}
		for at := 0; at < n; total++ {
			at += int(binary.NativeEndian.Uint16(buffer[at+16:]))
		}
	}
}

// walk reads the records of a directory and of all directories below it, on one thread, and returns the number of entries. It
// opens each directory from its parent's descriptor.
func walk(path string) (int, error) {
	d, err := unix.Open(path, directory, 0)
	if err != nil {
		return 0, fmt.Errorf("cannot open %s: %w", path, err)
	}
	w := walker{buffer: make([]byte, bufferSize)}
	err = w.enter(d)
	return w.total, err
}

// A walker has a buffer for records, and a stack with the names of the directories that it has not entered yet.
type walker struct {
	buffer []byte
	names  []byte // each ends with a NUL
	total  int
}

// enter reads the directory d and all directories below it, and closes d.
func (w *walker) enter(d int) error {
	defer unix.Close(d)
	first := len(w.names)
	if err := w.read(d); err != nil {
		return err
	}
	last := len(w.names)
	for at := first; at < last; {
		end := at
		for w.names[end] != 0 {
			end++
		}
		child, err := unix.Openat(d, string(w.names[at:end]), directory, 0)
		if err != nil {
			return fmt.Errorf("cannot open %s: %w", w.names[at:end], err)
		}
		if err := w.enter(child); err != nil {
			return err
		}
		at = end + 1
	}
	w.names = w.names[:first]
	return nil
}

// read counts the entries of d and pushes the names of its directories.
func (w *walker) read(d int) error {
	for {
		n, err := unix.Getdents(d, w.buffer)
		if err != nil || n == 0 {
			return err
		}
		for at := 0; at < n; {
			record := w.buffer[at : at+int(binary.NativeEndian.Uint16(w.buffer[at+16:]))]
			at += len(record)
			name := record[19:]
			if name[0] == '.' && (name[1] == 0 || name[1] == '.' && name[2] == 0) {
				continue
			}
			w.total++
			if record[18] == unix.DT_DIR {
				end := 0
				for name[end] != 0 {
					end++
				}
				w.names = append(w.names, name[:end+1]...)
			}
		}
	}
}
