package native

import (
	"bytes"
	"io"
)

// headBytes is the number of bytes that determine the type of a file.
const headBytes = 8 << 10

// contentOf returns the content of a file.
func contentOf(file io.ReaderAt) (content, error) {
	head := make([]byte, headBytes)
	n, err := file.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return content{}, err
	}
	return contentFrom(head[:n]), nil
}

// A content is the type of a file, determined from its beginning.
type content struct {
	name     string // as in "a PNG image"
	encoding encoding
	binary   bool
	image    string // the MIME type of an image that hosts can show, or ""
}

// An encoding is a character encoding.
type encoding uint8

const (
	utf8Text encoding = iota
	utf8BOM
	utf16Text // with a byte order mark
)

// A signature is the bytes that files of a format begin with.
type signature struct {
	at     int // their offset
	bytes  string
	name   string
	image  string
	binary bool // a NUL is not required
}

func signatures() []signature {
	return []signature{
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
		{0, "wOFF", "a font", "", false},
		{0, "wOF2", "a font", "", false},
		{0, "OTTO", "a font", "", false},
		{0, "\x00\x01\x00\x00\x00", "a font", "", true},
		{0, "ID3", "MP3 audio", "", false},
		{0, "OggS", "Ogg audio or video", "", false},
		{0, "fLaC", "FLAC audio", "", false},
		{4, "ftyp", "MP4 video or a similar format", "", false},
	}
}

// binaryFile is the name of content of an unknown binary type.
const binaryFile = "a binary file"

// contentFrom returns the content of a file that begins with head.
func contentFrom(head []byte) content {
	switch {
	case len(head) == 0:
		return content{name: "an empty file"}
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return content{name: "text (UTF-8 with a byte order mark)", encoding: utf8BOM}
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return content{name: "text (UTF-16)", encoding: utf16Text}
	}
	nul := bytes.IndexByte(head, 0) >= 0
	for _, s := range signatures() {
		if (nul || s.binary) && len(head) >= s.at && bytes.HasPrefix(head[s.at:], []byte(s.bytes)) {
			return content{name: s.name, binary: true, image: s.image}
		}
	}
	if nul {
		return content{name: binaryFile, binary: true}
	}
	return content{name: "text"}
}
