package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"testing/fstest"
	"time"
)

// A files holds the files of an archive, in its top directory.
type files struct {
	fstest.MapFS
	top string
}

// add adds a file and its directories. The modification time is the one of npm pack.
func (f files) add(name string, mode fs.FileMode, data []byte) {
	modified := time.Date(1985, time.October, 26, 8, 15, 0, 0, time.UTC)
	name = path.Join(f.top, name)
	f.MapFS[name] = &fstest.MapFile{Data: data, Mode: mode, ModTime: modified}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		f.MapFS[dir] = &fstest.MapFile{Mode: fs.ModeDir | 0o755, ModTime: modified}
	}
}

// writePackage writes an npm package.
func (f files) writePackage(to string) error {
	var data bytes.Buffer
	compressed := gzip.NewWriter(&data)
	archive := tar.NewWriter(compressed)
	err := errors.Join(archive.AddFS(f), archive.Close(), compressed.Close())
	return errors.Join(err, os.WriteFile(to, data.Bytes(), 0o644))
}

// writeZip writes a zip archive.
func (f files) writeZip(to string) error {
	var data bytes.Buffer
	archive := zip.NewWriter(&data)
	err := errors.Join(archive.AddFS(f), archive.Close())
	return errors.Join(err, os.WriteFile(to, data.Bytes(), 0o644))
}

// addSums adds the checksums of files to those that goreleaser has written.
func (r release) addSums(names []string) error {
	sums, err := os.OpenFile(r.path("SHA256SUMS"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	for _, name := range names {
		sum, wrong := r.checksum(name)
		_, unwritten := fmt.Fprintf(sums, "%s  %s\n", sum, name)
		err = errors.Join(err, wrong, unwritten)
	}
	return errors.Join(err, sums.Close())
}

func (r release) checksum(name string) (string, error) {
	data, err := os.ReadFile(r.path(name))
	return fmt.Sprintf("%x", sha256.Sum256(data)), err
}
