package office

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"unicode/utf16"

	"gander/internal/documents"
)

// compound is the format of OLE, in which Office writes encrypted documents, and in which its old
// versions wrote all. They cannot be read.
type compound struct{}

// Recognize implements [documents.Format]. Other files have the compound format too, so it looks
// for the name of a stream with a document at the beginning of the directory.
func (compound) Recognize(_ context.Context, src *documents.Source) (bool, error) {
	const (
		signature     = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
		shiftAt       = 30 // the size of a sector as a power of two
		directoryAt   = 48 // the sector in which the directory begins
		headerSize    = 512
		directorySize = 4096
	)
	if !bytes.HasPrefix(src.Head, []byte(signature)) || len(src.Head) < headerSize {
		return false, nil
	}
	shift := binary.LittleEndian.Uint16(src.Head[shiftAt:])
	sector := int64(binary.LittleEndian.Uint32(src.Head[directoryAt:]))
	directory := make([]byte, directorySize)
	n, err := src.ReadAt(directory, (sector+1)<<min(shift, 16))
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	found := slices.ContainsFunc(streams, func(name string) bool {
		return bytes.Contains(directory[:n], encode(name))
	})
	return found, nil
}

// streams are the names of the streams with documents.
var streams = []string{
	"EncryptedPackage", "WordDocument", "Workbook", "Book", "PowerPoint Document",
}

// encode returns a name as directories contain it.
func encode(name string) []byte {
	var b []byte
	for _, unit := range utf16.Encode([]rune(name + "\x00")) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return b
}

// Write implements [documents.Format].
func (compound) Write(context.Context, *documents.Source, *documents.Writer) error {
	return documents.ErrCompound
}
