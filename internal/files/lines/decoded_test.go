package lines

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"golang.org/x/text/encoding/unicode"

	"gander/internal/files/charset"
)

// marked returns the encoding that the byte order mark of a file names.
func marked(file []byte) charset.Encoding {
	e, _ := charset.Marked(file)
	return e
}

// TestUTF16 compares files with the decoder of whole texts, with any units at the border of two
// blocks.
func TestUTF16(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		size := unitBlock*(i%3) + random.IntN(40) - 20
		units := make([]uint16, max(size/2, 0))
		for i := range units {
			units[i] = []uint16{'a', '\n', 0xd800, 0xdc00, 0xe9, 0x4e2d}[random.IntN(6)]
		}
		var order binary.AppendByteOrder = binary.LittleEndian
		if i%2 == 0 {
			order = binary.BigEndian
		}
		file := order.AppendUint16(nil, 0xfeff)
		for _, u := range units {
			file = order.AppendUint16(file, u)
		}
		if i%5 == 0 {
			file = append(file, 'x')
		}
		decoder := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder()
		decoded, err := decoder.Bytes(file)
		if err != nil {
			t.Fatal(err)
		}
		want := string(decoded)
		u, err := NewDecoded(t.Context(), bytes.NewReader(file), int64(len(file)), marked(file))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(io.NewSectionReader(u, 0, 1<<30))
		if err != nil || string(got) != want || u.Size() != int64(len(want)) {
			t.Fatalf("%d bytes: read %d bytes, %v, size %d, want %d",
				len(file), len(got), err, u.Size(), len(want))
		}
		for range 20 {
			from := random.IntN(len(want) + 1)
			part := make([]byte, random.IntN(100))
			n, err := u.ReadAt(part, int64(from))
			expected := want[from:min(from+len(part), len(want))]
			if string(part[:n]) != expected || n < len(part) != (err == io.EOF) {
				t.Fatalf("from %d: read %q, %v", from, part[:n], err)
			}
		}
	}
}

// TestUTF16Changed checks that a file may shrink, grow or fail while it is read.
func TestUTF16Changed(t *testing.T) {
	file := append([]byte("\xff\xfe"), bytes.Repeat([]byte("a\x00"), unitBlock)...)
	for _, now := range []string{
		"", "\xff", "\xff\xfe", string(file[:unitBlock+1]), string(file) + string(file),
	} {
		u, err := NewDecoded(t.Context(), bytes.NewReader(file), int64(len(file)), marked(file))
		if err != nil {
			t.Fatal(err)
		}
		u.file = bytes.NewReader([]byte(now))
		got, err := io.ReadAll(io.NewSectionReader(u, 0, 1<<30))
		if err != nil || int64(len(got)) > u.Size() {
			t.Errorf("%d bytes: read %d of %d, %v", len(now), len(got), u.Size(), err)
		}
		u, err = NewDecoded(t.Context(), bytes.NewReader([]byte(now)), int64(len(file)), marked(file))
		if err != nil || u.Size() > int64(len(file)) {
			t.Errorf("%d bytes: %v", len(now), err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := NewDecoded(ctx, bytes.NewReader(file), int64(len(file)), marked(file))
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
