package documents

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"path"
	"slices"
	"strings"
)

// Limits of the directory of an archive, which is read as a whole.
const (
	maxDirectory = 2 << 20 // bytes
	maxEntries   = 20_000
)

var errDirectory = TooLargef("its directory has more than %d entries or %d MiB",
	maxEntries, maxDirectory>>20)

// An Archive is the zip file of a document. Its entries are found by their cleaned names.
type Archive struct {
	src     *Source
	file    *zipFile
	entries map[string]*zip.File
}

// A zipFile is the file that package zip reads. It keeps the error of a read, because package zip
// replaces some errors, and limits how much of a directory is read, which can be longer than it
// says.
type zipFile struct {
	File
	left int64 // bytes that may still be read
	err  error
}

var errLonger = Invalidf("its directory is longer than it says")

// ReadAt implements [io.ReaderAt].
func (f *zipFile) ReadAt(b []byte, at int64) (int, error) {
	f.left -= int64(len(b))
	if f.left < 0 {
		f.err = errLonger
		return 0, f.err
	}
	n, err := f.File.ReadAt(b, at)
	if err != nil && !errors.Is(err, io.EOF) {
		f.err = err
	}
	return n, err
}

// Archive returns src as a zip file. The error is an *Error if it is none, or an error of the file.
func (s *Source) Archive() (*Archive, error) {
	if !bytes.HasPrefix(s.Head, []byte("PK\x03\x04")) {
		return nil, Invalidf("it is not an archive")
	}
	if s.archive == nil && s.archiveErr == nil {
		s.archive, s.archiveErr = readArchive(s)
	}
	return s.archive, s.archiveErr
}

// readArchive reads the names of the entries.
func readArchive(src *Source) (*Archive, error) {
	a := &Archive{
		src: src, file: &zipFile{File: src.File, left: math.MaxInt64}, entries: map[string]*zip.File{},
	}
	size, err := a.directorySize()
	if err != nil {
		return nil, err
	}
	const others = 256 << 10 // the end records, and what is read in blocks
	a.file.left = size + others
	z, err := zip.NewReader(a.file, a.file.Size())
	a.file.left = math.MaxInt64
	switch {
	case a.file.err != nil:
		return nil, a.file.err
	case err != nil:
		return nil, Invalidf("its directory cannot be read (%v)", err)
	case len(z.File) > maxEntries:
		return nil, errDirectory
	}
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		name := cleanName(strings.ReplaceAll(f.Name, `\`, "/"))
		if a.entries[name] != nil {
			return nil, Invalidf("two of its entries are named %q", name)
		}
		a.entries[name] = f
	}
	return a, nil
}

// cleanName returns the name by which an entry is found.
func cleanName(name string) string { return path.Clean("/" + name)[1:] }

// directorySize returns the size of the directory, by its end record and the one of ZIP64, if it is
// not too large, and reserves memory for it. The package zip reads what the records specify.
func (a *Archive) directorySize() (int64, error) {
	const (
		endSize, maxComment = 22, 0xffff
		locatorSize         = 20
	)
	size := a.file.Size()
	tail := make([]byte, min(size, endSize+maxComment+locatorSize))
	_, err := a.file.ReadAt(tail, size-int64(len(tail)))
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	const signature = "PK\x05\x06" // which a comment after the record can contain
	at := bytes.LastIndex(tail[:max(0, len(tail)-endSize+len(signature))], []byte(signature))
	if at < 0 {
		return 0, Invalidf("its end is missing")
	}
	end := tail[at:]
	entries := uint64(binary.LittleEndian.Uint16(end[10:]))
	length := uint64(binary.LittleEndian.Uint32(end[12:]))
	locator := tail[max(at-locatorSize, 0):at]
	if len(locator) == locatorSize && bytes.HasPrefix(locator, []byte("PK\x06\x07")) {
		entries64, length64, err := a.readEnd64(locator)
		if err != nil {
			return 0, err
		}
		entries, length = max(entries, entries64), max(length, length64)
	}
	if entries > maxEntries || length > maxDirectory {
		return 0, errDirectory
	}
	const small = 64 << 10
	if length <= small {
		return int64(length), nil
	}
	const perByte = 8 // of an entry in memory, for each byte of its record
	return int64(length), a.src.Reserve(perByte * int64(length))
}

// readEnd64 returns the number of entries and the length of the directory by the end record of
// ZIP64, to which a locator refers.
func (a *Archive) readEnd64(locator []byte) (entries, length uint64, err error) {
	from := binary.LittleEndian.Uint64(locator[8:])
	if from > uint64(a.file.Size()) {
		return 0, 0, Invalidf("its directory is missing")
	}
	var end [56]byte
	_, err = a.file.ReadAt(end[:], int64(from))
	if err != nil {
		return 0, 0, cmp.Or(a.file.err, Invalidf("its directory is missing"))
	}
	return binary.LittleEndian.Uint64(end[32:]), binary.LittleEndian.Uint64(end[40:]), nil
}

// firstEntries are how the names of the first entries of documents begin, or also their contents.
var firstEntries = []string{
	"[Content_Types].xml", "_rels/", "docProps/", "word/", "xl/", "ppt/",
	"mimetypeapplication/vnd.oasis.opendocument.", "mimetypeapplication/epub+zip",
}

// isDamaged reports whether src is an archive that cannot be read, although its first entry is one
// of a document.
func (s *Source) isDamaged() bool {
	const nameAt = 30 // in the header of the entry
	first := s.Head[min(nameAt, len(s.Head)):]
	return s.archiveErr != nil && slices.ContainsFunc(firstEntries, func(name string) bool {
		return bytes.HasPrefix(first, []byte(name))
	})
}

// Has reports whether there is an entry.
func (a *Archive) Has(name string) bool { return a.entries[cleanName(name)] != nil }

// Open returns the contents of an entry, or nil if it is missing. The bytes that are read count
// against the limit of inflated bytes. Errors are as for [Format.Write].
func (a *Archive) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	f := a.entries[cleanName(name)]
	switch {
	case f == nil:
		return nil, nil
	case f.Flags&1 != 0:
		return nil, ErrEncrypted
	}
	r, err := f.Open()
	if err != nil {
		return nil, a.entryError(name, err)
	}
	return &entry{ctx, a, name, r}, nil
}

// entryError returns the error for an entry that package zip cannot read because of err.
func (a *Archive) entryError(name string, err error) error {
	if a.file.err != nil {
		return a.file.err
	}
	return Invalidf("its entry %q: %v", name, err)
}

// An entry reads the contents of an entry.
type entry struct {
	ctx  context.Context // for the reads, which implement io.Reader
	a    *Archive
	name string
	io.ReadCloser
}

// Read implements [io.Reader].
func (e *entry) Read(b []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	inflation := &e.a.src.inflation
	if inflation.left() <= 0 {
		return 0, TooLargef("more than %d MiB when inflated", inflation.limit>>20)
	}
	n, err := e.ReadCloser.Read(b[:min(int64(len(b)), inflation.left())])
	inflation.used += int64(n)
	if err != nil && err != io.EOF {
		err = e.a.entryError(e.name, err)
	}
	return n, err
}
