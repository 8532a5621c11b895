package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// A file is a file in an archive.
type file struct {
	name string // with slashes
	mode fs.FileMode
	data []byte
}

// below returns the files in a folder of this name.
func below(folder string, files []file) []file {
	moved := slices.Clone(files)
	for i := range moved {
		moved[i].name = path.Join(folder, moved[i].name)
	}
	return moved
}

// archive writes the archive for a platform: the program, the licenses and the manual.
func (r release) archive(p program, manual []file) error {
	name := r.name(p.target)
	files := below(name, append(p.files(p.target.program()), manual...))
	if p.target.system == "windows" {
		return write(r.path(name+".zip"), files, zipped)
	}
	return write(r.path(name+".tar.gz"), files, tarred)
}

// write writes an archive to a file.
func write(to string, files []file, format func(io.Writer, []file) error) error {
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	var data bytes.Buffer
	if err := format(&data, files); err != nil {
		return err
	}
	return os.WriteFile(to, data.Bytes(), 0o644)
}

// tarred writes a gzipped tar archive without times, so that its bytes do not depend on them.
func tarred(w io.Writer, files []file) error {
	compressed := gzip.NewWriter(w)
	archive := tar.NewWriter(compressed)
	for _, f := range files {
		if err := archive.WriteHeader(&tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(f.data)), Format: tar.FormatUSTAR}); err != nil {
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

// zipped writes a zip archive without times.
func zipped(w io.Writer, files []file) error {
	archive := zip.NewWriter(w)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate}
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

// writeSums writes the checksums of all files of the release to SHA256SUMS and to out, in the format of sha256sum.
func (r release) writeSums(out io.Writer) error {
	files, err := os.ReadDir(r.output)
	if err != nil {
		return err
	}
	var all strings.Builder
	for _, f := range files {
		sum, err := checksum(r.path(f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&all, "%s  %s\n", sum, f.Name())
	}
	if err := os.WriteFile(r.path("SHA256SUMS"), []byte(all.String()), 0o644); err != nil {
		return err
	}
	_, err = io.WriteString(out, all.String())
	return err
}

func checksum(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(data)), nil
}
