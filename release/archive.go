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
	"time"
)

// A file is a file in an archive.
type file struct {
	name string // with slashes
	mode fs.FileMode
	data []byte
}

// modified returns the modification time of all files in archives. It is the time of npm pack.
func modified() time.Time { return time.Date(1985, time.October, 26, 8, 15, 0, 0, time.UTC) }

// writePackage writes an npm package.
func writePackage(to string, files []file) error {
	var data bytes.Buffer
	compressed := gzip.NewWriter(&data)
	archive := tar.NewWriter(compressed)
	for _, f := range files {
		err := archive.WriteHeader(&tar.Header{
			Name: "package/" + f.name, Mode: int64(f.mode), Size: int64(len(f.data)),
			ModTime: modified(), Format: tar.FormatUSTAR,
		})
		if err == nil {
			_, err = archive.Write(f.data)
		}
		if err != nil {
			return err
		}
	}
	if err := errors.Join(archive.Close(), compressed.Close()); err != nil {
		return err
	}
	return os.WriteFile(to, data.Bytes(), 0o644)
}

// writeZip writes a zip archive.
func writeZip(to string, files []file) error {
	var data bytes.Buffer
	archive := zip.NewWriter(&data)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: modified()}
		h.SetMode(f.mode)
		w, err := archive.CreateHeader(h)
		if err == nil {
			_, err = w.Write(f.data)
		}
		if err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return os.WriteFile(to, data.Bytes(), 0o644)
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
