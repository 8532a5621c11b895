package native

import (
	"bytes"
	"io"
	"math"

	"gander/internal/files/workspace"
)

const headBytes = 8 << 10

// openFile opens a file and determines its type.
func openFile(l workspace.Location) (*workspace.File, fileKind, error) {
	file, err := l.File()
	if err != nil {
		return nil, fileKind{}, err
	}
	head := make([]byte, headBytes)
	n, err := file.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		file.Close()
		return nil, fileKind{}, err
	}
	return file, kindFrom(head[:n]), nil
}

// A fileKind is the type of a file, determined from its beginning.
type fileKind struct {
	name     string // as in "a PNG image"
	encoding encoding
	binary   bool
	known    bool   // its format is known, if it is binary
	image    string // the MIME type of an image that hosts can show, or ""
}

type encoding uint8

const (
	utf8Text encoding = iota
	utf8BOM
	utf16Text // with a byte order mark
)

// text returns the text of a file without a byte order mark of UTF-8. UTF-16 is not decoded.
func (e encoding) text(file *workspace.File) io.ReaderAt {
	if e == utf8BOM {
		return io.NewSectionReader(file, byteOrderMark, math.MaxInt64-byteOrderMark)
	}
	return file
}

// A signature is what files of a format have near their beginning.
type signature struct {
	at     int // the offset of the bytes
	bytes  string
	name   string
	image  string
	isSure bool // that the file is not text, even without a NUL
}

var signatures = []signature{
	{0, "\x89PNG\r\n\x1a\n", "a PNG image", "image/png", true},
	{0, "\xff\xd8\xff", "a JPEG image", "image/jpeg", true},
	{0, "GIF87a", "a GIF image", "image/gif", true},
	{0, "GIF89a", "a GIF image", "image/gif", true},
	{8, "WEBP", "a WebP image", "image/webp", false},
	{8, "WAVE", "WAV audio", "", false},
	{0, "%PDF-", "a PDF document", "", true},
	{0, "PK\x03\x04", "a ZIP archive, or a format made of one", "", true},
	{0, "\x1f\x8b", "gzip data", "", true},
	{0, "BZh", "bzip2 data", "", false},
	{0, "\xfd7zXZ\x00", "xz data", "", true},
	{0, "\x28\xb5\x2f\xfd", "Zstandard data", "", true},
	{0, "7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "", true},
	{257, "ustar", "a tar archive", "", false},
	{0, "\x7fELF", "an ELF program or library", "", true},
	{0, "MZ", "a Windows program or library", "", false},
	{0, "\xcf\xfa\xed\xfe", "a Mach-O program or library", "", true},
	{0, "\xca\xfe\xba\xbe", "a Java class or a Mach-O program", "", true},
	{0, "\x00asm", "a WebAssembly module", "", true},
	{0, "SQLite format 3\x00", "an SQLite database", "", true},
	{0, "wOF", "a font", "", false},
	{0, "OTTO", "a font", "", false},
	{0, "\x00\x01\x00\x00\x00", "a font", "", true},
	{0, "ID3", "MP3 audio", "", false},
	{0, "OggS", "Ogg audio or video", "", false},
	{0, "fLaC", "FLAC audio", "", false},
	{4, "ftyp", "MP4 video or a similar format", "", false},
}

func kindFrom(head []byte) fileKind {
	switch {
	case len(head) == 0:
		return fileKind{name: "an empty file"}
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return fileKind{name: "text (UTF-8 with a byte order mark)", encoding: utf8BOM}
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return fileKind{name: "text (UTF-16)", encoding: utf16Text}
	}
	hasNUL := bytes.IndexByte(head, 0) >= 0
	for _, s := range signatures {
		isSigned := bytes.HasPrefix(head[min(s.at, len(head)):], []byte(s.bytes))
		if isSigned && (hasNUL || s.isSure) {
			return fileKind{name: s.name, binary: true, known: true, image: s.image}
		}
	}
	if hasNUL {
		return fileKind{name: "a binary file", binary: true}
	}
	return fileKind{name: "text"}
}
