package documents

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"maps"
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
	entries map[string]*zip.File
	problem error // why nothing can be read
	checked bool  // for overlaps
	fault   error // of reading the file
	left    int64 // bytes that may still be read
}

// Archive returns src as a zip file. The error is an *Error if it is none, or that of the file.
func (s *Source) Archive() (*Archive, error) {
	if !bytes.HasPrefix(s.Head, []byte("PK\x03\x04")) {
		return nil, Invalidf("it is not an archive")
	}
	if s.archive == nil {
		s.archive = &Archive{src: s, left: maxDirectory + 256<<10}
		s.archive.readDirectory()
		s.archive.left = math.MaxInt64
	}
	switch {
	case s.archive.fault != nil:
		return nil, s.archive.fault
	case s.archive.entries == nil:
		return nil, s.archive.problem
	}
	return s.archive, nil
}

// ReadAt implements [io.ReaderAt]. It keeps the error, because package zip replaces some errors, and
// limits what it reads of a directory, because a directory can be longer than it says.
func (a *Archive) ReadAt(b []byte, at int64) (int, error) {
	a.left -= int64(len(b))
	if a.left < 0 {
		return 0, errDirectory
	}
	n, err := a.src.File.ReadAt(b, at)
	if err != nil && !errors.Is(err, io.EOF) {
		a.fault = err
	}
	return n, err
}

// readDirectory reads the names of the entries.
func (a *Archive) readDirectory() {
	a.problem = a.checkDirectory()
	if a.problem != nil {
		return
	}
	z, err := zip.NewReader(a, a.src.Size())
	switch {
	case a.left < 0:
		a.problem = Invalidf("its directory is longer than it says")
		return
	case err == nil && len(z.File) > maxEntries:
		a.problem = errDirectory
		return
	case err != nil:
		a.problem = Invalidf("its directory cannot be read (%v)", err)
		return
	}
	a.entries = make(map[string]*zip.File, len(z.File))
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		name := cleanName(strings.ReplaceAll(f.Name, `\`, "/"))
		if a.entries[name] != nil {
			a.problem = Invalidf("two of its entries are named %q", name)
		}
		a.entries[name] = f
	}
}

// cleanName returns the name by which an entry is found.
func cleanName(name string) string { return path.Clean("/" + name)[1:] }

// checkDirectory checks the sizes in the end record of the directory and in that of ZIP64. The
// package zip reads what they specify.
func (a *Archive) checkDirectory() error {
	const (
		endSize, maxComment = 22, 0xffff
		locatorSize         = 20
		end64Size           = 56
	)
	size := a.src.Size()
	tail := make([]byte, min(size, endSize+maxComment+locatorSize))
	_, err := a.ReadAt(tail, size-int64(len(tail)))
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	at := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if at < 0 || len(tail)-at < endSize {
		return Invalidf("its end is missing")
	}
	end := tail[at:]
	entries := uint64(binary.LittleEndian.Uint16(end[10:]))
	length := uint64(binary.LittleEndian.Uint32(end[12:]))
	if locator := tail[:at]; bytes.HasPrefix(last(locator, locatorSize), []byte("PK\x06\x07")) {
		var end64 [end64Size]byte
		from := binary.LittleEndian.Uint64(last(locator, locatorSize)[8:])
		if from > uint64(size) {
			return Invalidf("its directory is missing")
		}
		_, err := a.ReadAt(end64[:], int64(from))
		if err != nil {
			return Invalidf("its directory is missing")
		}
		entries = max(entries, binary.LittleEndian.Uint64(end64[32:]))
		length = max(length, binary.LittleEndian.Uint64(end64[40:]))
	}
	if entries > maxEntries || length > maxDirectory {
		return errDirectory
	}
	a.left = int64(length) + 256<<10 // for the end record and buffers
	return a.reserve(int64(length))
}

// reserve reserves memory for a directory that is large. An entry takes about eight times the space
// of its record.
func (a *Archive) reserve(length int64) error {
	const small = 64 << 10
	if length <= small {
		return nil
	}
	a.fault = a.src.Reserve(8 * length)
	return a.fault
}

// last returns the last n bytes of b, or all if there are fewer.
func last(b []byte, n int) []byte { return b[max(0, len(b)-n):] }

// damaged reports whether the directory cannot be read, and the first entry is one of a document.
func (a *Archive) damaged() bool {
	const nameAt = 30 // in the header of the entry
	if a.problem == nil || a.entries != nil {
		return false
	}
	first := a.src.Head[min(nameAt, len(a.src.Head)):]
	for _, name := range []string{
		"[Content_Types].xml", "_rels/", "docProps/", "word/", "xl/", "ppt/",
		"mimetypeapplication/vnd.oasis.opendocument.", "mimetypeapplication/epub+zip",
	} {
		if bytes.HasPrefix(first, []byte(name)) {
			return true
		}
	}
	return false
}

// damagedArchive is the format of documents whose directory cannot be read.
type damagedArchive struct{}

func (damagedArchive) Name() string                                          { return "document" }
func (damagedArchive) Recognize(context.Context, *Source) (bool, error)      { return true, nil }
func (damagedArchive) Write(_ context.Context, src *Source, _ *Writer) error { return src.check() }

// check returns why nothing can be read from the archive, if src has one.
func (s *Source) check() error {
	a := s.archive
	if a == nil {
		return nil
	}
	if a.problem == nil && !a.checked {
		a.checked = true
		a.problem = a.checkOverlaps()
	}
	return a.problem
}

// checkOverlaps checks that no byte of the file belongs to two entries.
func (a *Archive) checkOverlaps() error {
	type span struct{ from, to uint64 }
	var spans []span
	shorterFirst := func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	}
	for _, name := range slices.SortedFunc(maps.Keys(a.entries), shorterFirst) {
		f := a.entries[name]
		from, err := f.DataOffset()
		if a.fault != nil {
			return a.fault
		}
		size := uint64(a.src.Size())
		if err != nil || uint64(from) > size || f.CompressedSize64 > size-uint64(from) {
			return Invalidf("its entry %q is not in the file", name)
		}
		if f.CompressedSize64 > 0 {
			spans = append(spans, span{uint64(from), uint64(from) + f.CompressedSize64})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	for i := 1; i < len(spans); i++ {
		if spans[i].from < spans[i-1].to {
			return Invalidf("two of its entries overlap")
		}
	}
	return nil
}

// Has reports whether there is an entry.
func (a *Archive) Has(name string) bool { return a.entries[cleanName(name)] != nil }

// Open returns the contents of an entry, or nil if it is missing. What is read counts against the
// limit of inflated bytes. Errors are those of [Format.Write].
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
		return nil, a.problemOf(name, err)
	}
	return &entry{ctx, a, name, r}, nil
}

// problemOf returns the error for an entry that cannot be read.
func (a *Archive) problemOf(name string, err error) error {
	if a.fault != nil {
		return a.fault
	}
	return Invalidf("its entry %q: %v", name, err)
}

// An entry reads the contents of an entry.
type entry struct {
	ctx  context.Context
	a    *Archive
	name string
	io.ReadCloser
}

// Read implements [io.Reader].
func (e *entry) Read(b []byte) (int, error) {
	src := e.a.src
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	if src.left <= 0 {
		return 0, TooLargef("more than %d MiB when inflated", src.limit>>20)
	}
	n, err := e.ReadCloser.Read(b[:min(int64(len(b)), src.left)])
	src.left -= int64(n)
	if err != nil && err != io.EOF {
		err = e.a.problemOf(e.name, err)
	}
	return n, err
}
