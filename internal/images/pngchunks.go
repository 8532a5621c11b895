package images

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// chunkOverhead is the size of the length, name and checksum of a chunk in bytes.
const chunkOverhead = 12

// A chunkReader reads the chunks of a PNG file. As an [io.Reader], it reads the data of IDAT chunks
// that follow each other.
type chunkReader struct {
	r    *bufio.Reader
	name string // the name of the chunk
	left uint32 // how much of its data has not been read
	sum  uint32 // the checksum of the data that has been read
}

// open begins the next chunk.
func (d *chunkReader) open() error {
	var b [8]byte
	if _, err := io.ReadFull(d.r, b[:]); err != nil {
		return err
	}
	d.left, d.name = binary.BigEndian.Uint32(b[:]), string(b[4:])
	d.sum = crc32.ChecksumIEEE(b[4:])
	return nil
}

// all reads all data of the chunk, which must be small, and its checksum.
func (d *chunkReader) all() ([]byte, error) {
	b := make([]byte, d.left)
	if _, err := io.ReadFull(d.r, b); err != nil {
		return nil, err
	}
	d.sum = crc32.Update(d.sum, crc32.IEEETable, b)
	return b, d.check()
}

func (d *chunkReader) check() error {
	var b [4]byte
	if _, err := io.ReadFull(d.r, b[:]); err != nil {
		return err
	}
	if binary.BigEndian.Uint32(b[:]) != d.sum {
		return errChecksum
	}
	return nil
}

// skip skips the data of a chunk before the pixels, and its checksum.
func (d *chunkReader) skip() error {
	if d.left > maxHeader {
		return errPNG
	}
	_, err := d.r.Discard(int(d.left) + 4)
	return err
}

func (d *chunkReader) Read(p []byte) (int, error) {
	for d.left == 0 {
		if d.name != "IDAT" {
			return 0, io.EOF
		}
		if err := d.check(); err != nil {
			return 0, err
		}
		if err := d.open(); err != nil {
			return 0, err
		}
		if d.name != "IDAT" {
			return 0, io.EOF
		}
	}
	n, err := d.r.Read(p[:min(uint32(len(p)), d.left)])
	d.left -= uint32(n)
	d.sum = crc32.Update(d.sum, crc32.IEEETable, p[:n])
	return n, err
}
