//go:build linux

// Package data makes the directories and files that gander is measured with.
package data

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A Set is the data of a scale in a directory. The scale determines its content.
type Set struct {
	Dir string

	WideNames   int // entries of Wide
	MediumNames int // entries of Medium
	Packages    int // packages of Mono, each with about 47 directories and 1,120 entries
	Lines       int // lines of Text
	TextFiles   int // files of Files
	Requests    int // lines of the log
}

// At returns the set of a scale, full, tenth or hundredth, in dir. It does not make the data.
func At(dir, scale string) (Set, error) {
	part := map[string]int{"full": 1, "tenth": 10, "hundredth": 100}[scale]
	if part == 0 {
		return Set{}, fmt.Errorf("unknown scale %q; use full, tenth or hundredth", scale)
	}
	dir, err := filepath.Abs(dir)
	return Set{
		Dir: dir, WideNames: 1_000_000 / part, MediumNames: 100_000 / part, Packages: 1000 / part,
		Lines: 25_072_000 / part, TextFiles: 60_000 / part, Requests: 9_000_000 / part,
	}, err
}

// Wide is a directory of empty files.
func (s Set) Wide() string { return filepath.Join(s.Dir, "wide") }

// Medium is like Wide, with a tenth of the entries.
func (s Set) Medium() string { return filepath.Join(s.Dir, "medium") }

// Mono is a tree like a large repository.
func (s Set) Mono() string { return filepath.Join(s.Dir, "mono") }

// Text is a file of lines of 0 to 200 bytes.
func (s Set) Text() string { return filepath.Join(s.Dir, "text") }

// Files is a tree of files with text.
func (s Set) Files() string { return filepath.Join(s.Dir, "files") }

// Endless is a sparse file: a line of 100 GB, then a line of three bytes.
func (s Set) Endless() string { return filepath.Join(s.Dir, "endless") }

// Small is a directory of 24 entries.
func (s Set) Small() string { return filepath.Join(s.Dir, "small") }

// Empty is an empty directory.
func (s Set) Empty() string { return filepath.Join(s.Dir, "empty") }

// Make makes the missing and incomplete parts.
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
		path := filepath.Join(s.Dir, name)
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
	return s.check()
}

// check returns an error if Wide belongs to another scale.
func (s Set) check() error {
	d, err := os.Open(s.Wide())
	if err != nil {
		return err
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err == nil && len(names) != s.WideNames {
		err = &fs.PathError{Op: "read", Path: s.Dir, Err: fmt.Errorf("the data has another scale")}
	}
	return err
}
