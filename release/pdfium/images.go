package main

import (
	"bytes"
	"fmt"
)

// Where PDFium begins to decode an image of JPEG 2000: a text of opj_tcd_decode_tile. That has the
// largest functions, which take most memory to compile, and needs more to decode a scanned page
// than a page may have. It traps.
const decodesJPEG2000 = "cannot allocate opj_tcd_seg_data_chunk_t"

// The size from which on PDFium draws an image from some of its pixels, and needs not have all of
// it in memory: kHugeImageSize, and the lower one that replaces it. They have the same length.
const hugeImage, lowerHugeImage = 60_000_000 - 1, 28_000_000 - 1

// limitImages makes drawing images take less memory.
func limitImages(m *module) error {
	data, err := m.data()
	if err != nil {
		return err
	}
	decoders, sizes := 0, 0
	for n, f := range m.functions {
		code, err := f.instructions()
		if err != nil {
			return err
		}
		for _, i := range code {
			switch {
			case i.op != opConst:
			case i.constant == hugeImage:
				copy(f.code[i.start+1:], appendSigned(nil, lowerHugeImage))
				sizes++
			case isAddress(i.constant, data, decodesJPEG2000):
				m.functions[n] = function{[]byte{0, opUnreachable, opEnd}, 1}
				decoders++
			}
		}
	}
	if decoders != 1 || sizes != 1 {
		return fmt.Errorf("%d functions decode JPEG 2000, %d have the size of huge images",
			decoders, sizes)
	}
	return nil
}

// isAddress reports whether a text is at an address.
func isAddress(address int64, data []byte, text string) bool {
	return 0 < address && address < int64(len(data)) && bytes.HasPrefix(data[address:], []byte(text))
}
