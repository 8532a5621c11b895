//go:build linux

// Package data makes the directories and files that gander is measured with.
package data

import (
	"fmt"
	"os"
	"path/filepath"
)

// A Set is the data of a scale in a directory. The scale determines its content.
type Set struct {
	Dir string

	WideNames   int
	MediumNames int
	Packages    int // each with about 47 directories and 1,120 entries
	Lines       int // of the text
	TextFiles   int
	Requests    int // lines of the log
}

// At returns the set of a scale, full, tenth or hundredth, in a folder of dir. It does not make the
// data.
func At(dir, scale string) (Set, error) {
	part := map[string]int{"full": 1, "tenth": 10, "hundredth": 100}[scale]
	if part == 0 {
		return Set{}, fmt.Errorf("unknown scale %q; use full, tenth or hundredth", scale)
	}
	dir, err := filepath.Abs(filepath.Join(dir, scale))
	return Set{
		Dir: dir, WideNames: 1_000_000 / part, MediumNames: 100_000 / part, Packages: 1000 / part,
		Lines: 25_072_000 / part, TextFiles: 60_000 / part, Requests: 9_000_000 / part,
	}, err
}

// Path returns the path of a part, by its name in [Set.Make].
func (s Set) Path(name string) string { return filepath.Join(s.Dir, name) }

// Make makes the missing and incomplete parts: directories of empty files, a tree like a large
// repository, a tree of text files, a sparse file with a line of 100 GB and one of three bytes, a
// file with lines of 0 to 200 bytes, and a log.
func (s Set) Make() error {
	for name, build := range map[string]func(path string) error{
		"empty":   func(path string) error { return os.Mkdir(path, 0o755) },
		"small":   func(path string) error { return makeFiles(path, 24) },
		"medium":  func(path string) error { return makeFiles(path, s.MediumNames) },
		"wide":    func(path string) error { return makeFiles(path, s.WideNames) },
		"mono":    func(path string) error { return makeMono(path, s.Packages) },
		"files":   func(path string) error { return makeTextFiles(path, s.TextFiles) },
		"endless": makeEndless,
		"text":    func(path string) error { return makeText(path, s.Lines) },
		"log":     func(path string) error { return makeLog(path, s.Requests) },
	} {
		path := s.Path(name)
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		fmt.Fprintln(os.Stderr, "making", path)
		part := path + ".part"
		if err := os.RemoveAll(part); err != nil {
			return err
		}
		if err := os.MkdirAll(s.Dir, 0o755); err != nil {
			return err
		}
		if err := build(part); err != nil {
			return err
		}
		if err := os.Rename(part, path); err != nil {
			return err
		}
	}
	return nil
}
