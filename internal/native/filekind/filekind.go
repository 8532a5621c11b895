// Package filekind tells the types of files from their beginnings.
package filekind

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"gander/internal/files/charset"
	"gander/internal/files/workspace"
)

// Open opens a file and determines its type.
func Open(l workspace.Location) (*workspace.File, Kind, error) {
	file, err := l.File()
	if err != nil {
		return nil, Kind{}, err
	}
	head := make([]byte, charset.HeadSize)
	n, err := file.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		file.Close()
		return nil, Kind{}, err
	}
	kind := From(head[:n])
	if kind.Name == zipArchive {
		kind.Name += entriesOf(file)
	}
	return file, kind, nil
}

// A Kind is the type of a file, determined from its beginning.
type Kind struct {
	Name     string // as in "a PNG image"
	IsText   bool
	Encoding charset.Encoding // of a text
	Image    string           // the MIME type of an image that hosts can show, or ""
}

// UnknownBinary is the name of the type of a file that is neither text nor of a known format.
const UnknownBinary = "a binary file"

// A signature is what files of a format have near their beginning.
type signature struct {
	at    int // the offset of the bytes
	bytes string
	name  string
	image string
}

var signatures = []signature{
	{0, "\x89PNG\r\n\x1a\n", "a PNG image", "image/png"},
	{0, "\xff\xd8\xff", "a JPEG image", "image/jpeg"},
	{0, "GIF87a", "a GIF image", "image/gif"},
	{0, "GIF89a", "a GIF image", "image/gif"},
	{8, "WEBP", "a WebP image", "image/webp"},
	{8, "WAVE", "WAV audio", ""},
	{0, "%PDF-", pdfDocument, ""},
	{0, "PK\x03\x04", zipArchive, ""},
	{0, "\x1f\x8b", "gzip data", ""},
	{0, "BZh", "bzip2 data", ""},
	{0, "\xfd7zXZ\x00", "xz data", ""},
	{0, "\x28\xb5\x2f\xfd", "Zstandard data", ""},
	{0, "7z\xbc\xaf\x27\x1c", "a 7-Zip archive", ""},
	{257, "ustar", "a tar archive", ""},
	{0, "\x7fELF", "an ELF program or library", ""},
	{0, "MZ", "a Windows program or library", ""},
	{0, "\xcf\xfa\xed\xfe", "a Mach-O program or library", ""},
	{0, "\xca\xfe\xba\xbe", "a Java class or a Mach-O program", ""},
	{0, "\x00asm", "a WebAssembly module", ""},
	{0, "SQLite format 3\x00", "an SQLite database", ""},
	{0, "wOF", "a font", ""},
	{0, "OTTO", "a font", ""},
	{0, "\x00\x01\x00\x00\x00", "a font", ""},
	{0, "ID3", "MP3 audio", ""},
	{0, "OggS", "Ogg audio or video", ""},
	{0, "fLaC", "FLAC audio", ""},
	{0, "BM", "a BMP image", ""},
	{0, "II*\x00", "a TIFF image", ""},
	{0, "MM\x00*", "a TIFF image", ""},
	{0, "\x00\x00\x01\x00", "an icon (ICO)", ""},
	{4, "ftyp", "MP4 video or a similar format", ""},
}

// mediaName returns the name of a file in the container of MP4, by the brands in its first box. The
// first brand of an image decides, unless it is one of the general format.
func mediaName(head []byte, otherwise string) string {
	const brandBytes = 4
	size := min(int(binary.BigEndian.Uint32(head)), len(head))
	isImage := false
	for at := 2 * brandBytes; at+brandBytes <= size; at += brandBytes {
		switch string(head[at : at+brandBytes]) {
		case "avif", "avis":
			return "an AVIF image"
		case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs":
			return "a HEIC image"
		case "mif1", "msf1":
			isImage = true
		}
	}
	if isImage {
		return "a HEIF image"
	}
	return otherwise
}

const (
	pdfDocument = "a PDF document"
	zipArchive  = "a ZIP archive, or a format made of one"
)

// pdfHeader matches the first line of a PDF file, which can do without a NUL.
var pdfHeader = regexp.MustCompile(`^%PDF-\d\.\d[ \t]*[\r\n]`)

// From returns the type of a file that begins with head, at most [charset.HeadSize] bytes.
func From(head []byte) Kind {
	if len(head) == 0 {
		return Kind{Name: "an empty file", IsText: true}
	}
	if e, ok := charset.Marked(head); ok {
		return Kind{Name: "text (" + e.Name + ")", IsText: true, Encoding: e}
	}
	if pdfHeader.Match(head) {
		return Kind{Name: pdfDocument}
	}
	isUTF8 := charset.IsUTF8(head)
	for _, s := range signatures {
		isSigned := bytes.HasPrefix(head[min(s.at, len(head)):], []byte(s.bytes))
		if isSigned && !(isUTF8 && s.isText()) {
			name := s.name
			if s.bytes == "ftyp" {
				name = mediaName(head, name)
			}
			return Kind{Name: name, Image: s.image}
		}
	}
	if isUTF8 {
		return Kind{Name: "text", IsText: true}
	}
	if e, ok := charset.Guess(head); ok {
		return Kind{Name: "text (" + e.Name + ")", IsText: true, Encoding: e}
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return Kind{Name: UnknownBinary}
	}
	return Kind{Name: "text", IsText: true}
}

// entriesOf returns the clause with the number of entries of a ZIP archive, or "".
func entriesOf(file *workspace.File) string {
	end := make([]byte, min(file.Size(), 66_000))
	if _, err := file.ReadAt(end, file.Size()-int64(len(end))); err != nil && err != io.EOF {
		return ""
	}
	at := bytes.LastIndex(end, []byte("PK\x05\x06"))
	if at < 0 || at+12 > len(end) {
		return ""
	}
	n := binary.LittleEndian.Uint16(end[at+10:])
	return fmt.Sprintf(", %d entries", n)
}

// isText reports whether text could have the signature.
func (s signature) isText() bool {
	return !strings.ContainsFunc(s.bytes, func(c rune) bool {
		return c == utf8.RuneError || unicode.IsControl(c)
	})
}
