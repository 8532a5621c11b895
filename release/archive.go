package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
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

// modified returns the time of every file in an archive: the one that npm pack writes. The bytes of
// an archive then do not depend on the clock, and it is a time that zip can express.
func modified() time.Time { return time.Date(1985, time.October, 26, 8, 15, 0, 0, time.UTC) }

// write writes an archive in a format to a file.
func write(to string, files []file, format func(io.Writer, []file) error) error {
	var data bytes.Buffer
	if err := format(&data, files); err != nil {
		return err
	}
	return os.WriteFile(to, data.Bytes(), 0o644)
}

// tarred writes a gzipped tar archive.
func tarred(w io.Writer, files []file) error {
	compressed := gzip.NewWriter(w)
	archive := tar.NewWriter(compressed)
	for _, f := range files {
		err := archive.WriteHeader(&tar.Header{
			Name: f.name, Mode: int64(f.mode), Size: int64(len(f.data)),
			ModTime: modified(), Format: tar.FormatUSTAR,
		})
		if err != nil {
			return err
		}
		if _, err := archive.Write(f.data); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return compressed.Close()
}

// zipped writes a zip archive.
func zipped(w io.Writer, files []file) error {
	archive := zip.NewWriter(w)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: modified()}
		h.SetMode(f.mode)
		to, err := archive.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := to.Write(f.data); err != nil {
			return err
		}
	}
	return archive.Close()
}

// addSums adds the checksums of files to those that goreleaser has written.
func (r release) addSums(names []string) error {
	sums, err := os.OpenFile(r.path("SHA256SUMS"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer sums.Close()
	for _, name := range names {
		sum, err := checksum(r.path(name))
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(sums, "%s  %s\n", sum, name); err != nil {
			return err
		}
	}
	return sums.Close()
}

func checksum(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(data)), nil
}
