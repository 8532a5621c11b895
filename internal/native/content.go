package native

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/tools/toolerror"
)

const headBytes = 8 << 10

func open(l workspace.Location) (*workspace.File, content, error) {
	file, err := l.File()
	if err != nil {
		return nil, content{}, err
	}
	head := make([]byte, headBytes)
	n, err := file.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		file.Close()
		return nil, content{}, err
	}
	return file, contentFrom(head[:n]), nil
}

// A content is the type of a file, determined from its beginning.
type content struct {
	name     string // as in "a PNG image"
	encoding encoding
	binary   bool
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

type signature struct {
	at     int // the offset of the bytes
	bytes  string
	name   string
	image  string
	binary bool // a NUL is not required
}

func signatures() []signature {
	return []signature{
		{0, "\x89PNG\r\n\x1a\n", "a PNG image", "image/png", true},
		{0, "\xff\xd8\xff", "a JPEG image", "image/jpeg", true},
		{0, "GIF8", "a GIF image", "image/gif", true},
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
}

const binaryFile = "a binary file"

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
		begins := bytes.HasPrefix(head[min(s.at, len(head)):], []byte(s.bytes))
		if begins && (nul || s.binary) {
			return content{name: s.name, binary: true, image: s.image}
		}
	}
	if nul {
		return content{name: binaryFile, binary: true}
	}
	return content{name: "text"}
}

// descriptionSection returns the section about an entry that is not a directory.
func (c *call) descriptionSection(t target) (section, error) {
	line := c.show(t.location)
	if t.linkErr != nil {
		line += "@: a link that cannot be followed: " + toolerror.PathText(t.linkErr)
		return c.budget.heading(line)
	}
	info, err := t.location.Lstat()
	if err == nil && info.Kind == workspace.Symlink {
		to := c.linkTarget(t.location)
		if to != "" {
			line += "@ -> " + to
		}
	}
	kind := specialFile
	if t.info.Kind == workspace.Regular {
		bytes := number(t.info.Size) + " bytes"
		file, is, err := open(t.location)
		if err == nil {
			file.Close()
			kind = is.name + ", " + bytes
		} else {
			kind = "a file, " + bytes + ", " + toolerror.PathText(err)
		}
	}
	line += fmt.Sprintf(": %s, modified %s UTC", kind, timeText(t.info.ModTime))
	return c.budget.heading(line)
}

// linkTarget returns the path in results of a link's target, or "" if it cannot be followed.
func (f *files) linkTarget(link workspace.Location) string {
	to, err := link.Resolve()
	if err != nil {
		return ""
	}
	info, err := to.Stat()
	if err != nil {
		return ""
	}
	shown := f.show(to)
	if info.Kind == workspace.Directory {
		return strings.TrimSuffix(shown, "/") + "/"
	}
	return shown
}

const specialFile = "a FIFO, socket or device"

// details returns the columns with the size and the modification time of an entry.
func details(info workspace.Info, err error) string {
	if err != nil {
		return "\t?\t?"
	}
	bytes := "-"
	if info.Kind == workspace.Regular {
		bytes = strconv.FormatInt(info.Size, 10)
	}
	return "\t" + bytes + "\t" + timeText(info.ModTime)
}

func timeText(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }
