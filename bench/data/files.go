//go:build linux

package data

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// makeFiles makes the directory path with n empty files.
func makeFiles(path string, n int) error {
	d, err := makeDir(path)
	if err != nil {
		return err
	}
	defer unix.Close(d)
	extensions := [...]string{"go", "txt", "json", "c"}
	for i := range n {
		if err := touch(d, fmt.Sprintf("file-%07d.%s", i, extensions[i%len(extensions)])); err != nil {
			return err
		}
	}
	return nil
}

func makeSmall(path string) error {
	if err := makeFiles(path, 24); err != nil {
		return err
	}
	lines := strings.Repeat("the quick brown fox jumps over the lazy dog\n", 40)
	return os.WriteFile(filepath.Join(path, "file-0000000.go"), []byte(lines), 0o644)
}

// makeDir makes a directory and returns a descriptor for it.
func makeDir(path string) (int, error) {
	if err := os.Mkdir(path, 0o755); err != nil {
		return -1, err
	}
	d, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return d, nil
}

// touch makes an empty file in the directory d.
func touch(d int, name string) error {
	if err := unix.Mknodat(d, name, unix.S_IFREG|0o644, 0); err != nil {
		return &os.PathError{Op: "mknodat", Path: name, Err: err}
	}
	return nil
}

func makeEndless(path string) error {
	const hole = 100 << 30
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte("\nend\n"), hole)
	return errors.Join(err, f.Close())
}
