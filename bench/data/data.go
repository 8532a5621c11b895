//go:build linux

// Package data makes the directories and files that gander is measured on.
package data

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// A Set is the data of one scale under one directory. The scale alone determines its contents.
type Set struct {
	Dir string

	WideNames   int // entries of Wide
	MediumNames int // entries of Medium
	Packages    int // packages of Mono, of about 47 directories and 1120 entries each
	Lines       int // lines of Text
	TextFiles   int // files of Files
	Requests    int // lines of Log
}

// At returns the set of a scale, one of "full", "tenth" and "hundredth", under dir. It does not make the data.
func At(dir, scale string) (Set, error) {
	full := Set{Dir: dir, WideNames: 1_000_000, MediumNames: 100_000, Packages: 1000, Lines: 25_072_000, TextFiles: 60_000, Requests: 9_000_000}
	part := map[string]int{"full": 1, "tenth": 10, "hundredth": 100}[scale]
	if part == 0 {
		return Set{}, fmt.Errorf("unknown scale %q; use full, tenth or hundredth", scale)
	}
	return Set{
		Dir:         dir,
		WideNames:   full.WideNames / part,
		MediumNames: full.MediumNames / part,
		Packages:    full.Packages / part,
		Lines:       full.Lines / part,
		TextFiles:   full.TextFiles / part,
		Requests:    full.Requests / part,
	}, nil
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

// Log is a log of a server.
func (s Set) Log() string { return filepath.Join(s.Dir, "log") }

// Endless is a sparse file: a line of 100 GB, then a line of three bytes.
func (s Set) Endless() string { return filepath.Join(s.Dir, "endless") }

// Small is a directory of 24 entries; SmallFile is a file of 40 lines in it.
func (s Set) Small() string     { return filepath.Join(s.Dir, "small") }
func (s Set) SmallFile() string { return filepath.Join(s.Small(), "file-0000000.go") }

// Empty is a directory without entries.
func (s Set) Empty() string { return filepath.Join(s.Dir, "empty") }

// Make makes the parts that do not exist yet, and passes a message about each to say.
func (s Set) Make(say func(string)) error {
	for _, part := range []struct {
		path, marker string
		make         func(path string) error
	}{
		{s.Empty(), "empty 1", func(path string) error { return os.Mkdir(path, 0o755) }},
		{s.Small(), "small 1", makeSmall},
		{s.Medium(), fmt.Sprintf("files 1: %d", s.MediumNames), func(path string) error { return makeFiles(path, s.MediumNames) }},
		{s.Wide(), fmt.Sprintf("files 1: %d", s.WideNames), func(path string) error { return makeFiles(path, s.WideNames) }},
		{s.Mono(), fmt.Sprintf("mono 1: %d", s.Packages), func(path string) error { return makeMono(path, s.Packages) }},
		{s.Endless(), "endless 1", makeEndless},
		{s.Text(), fmt.Sprintf("text 1: %d", s.Lines), func(path string) error { return makeText(path, s.Lines) }},
		{s.Files(), fmt.Sprintf("text files 1: %d", s.TextFiles), func(path string) error { return makeFilesOfText(path, s.TextFiles) }},
		{s.Log(), fmt.Sprintf("log 1: %d", s.Requests), func(path string) error { return makeLog(path, s.Requests) }},
	} {
		if err := once(part.path, part.marker, part.make, say); err != nil {
			return err
		}
	}
	return nil
}

// once makes path unless the marker file next to it says that it was made before. It builds under another name, so that an
// interrupted run leaves nothing that looks complete.
func once(path, marker string, build func(string) error, say func(string)) error {
	made := path + ".made"
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		if have, err := os.ReadFile(made); err == nil && string(have) == marker {
			return nil
		}
		return fmt.Errorf("%s holds other data; remove it or choose another directory", path)
	}
	say("making " + path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	part := path + ".part"
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	if err := build(part); err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	return os.WriteFile(made, []byte(marker), 0o644)
}
