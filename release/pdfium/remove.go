package main

import (
	"bytes"
	"fmt"
)

// A removal is a function that reading text never calls. As the module has no names, it is found by
// texts that no other function mentions together. Its result becomes 0, which means failure.
type removal struct {
	name     string // what the source calls it
	mentions []string
}

// removals are where PDFium begins to decode an image, which it does only to draw it.
var removals = []removal{
	{"opj_tcd_decode_tile", []string{"cannot allocate opj_tcd_seg_data_chunk_t"}},
	{"CPDF_DIB::CreateDecoder", []string{"CCITTFaxDecode", "SMaskInData"}},
	{"CPDF_DIB::ContinueInternal", []string{"JBIG2Globals"}},
}

// remove replaces functions by ones that fail.
func remove(m *module, unneeded []removal) error {
	data, err := m.data()
	if err != nil {
		return err
	}
	for _, r := range unneeded {
		i, err := r.find(m.functions, data)
		if err != nil {
			return err
		}
		m.functions[i] = function{[]byte{0, opConst, 0, opEnd}, 1}
	}
	return nil
}

// find returns the index of the function among all, which must be the only one.
func (r removal) find(all []function, data []byte) (int, error) {
	found := -1
	for i, f := range all {
		code, err := f.instructions()
		if err != nil {
			return 0, err
		}
		if !r.matches(code, data) {
			continue
		}
		if found >= 0 {
			return 0, fmt.Errorf("%s: several functions mention %q", r.name, r.mentions)
		}
		found = i
	}
	if found < 0 {
		return 0, fmt.Errorf("%s: no function mentions %q", r.name, r.mentions)
	}
	return found, nil
}

// matches reports whether code mentions all texts.
func (r removal) matches(code []instruction, data []byte) bool {
	for _, text := range r.mentions {
		if !mentions(code, data, text) {
			return false
		}
	}
	return true
}

// mentions reports whether code has the address of a text.
func mentions(code []instruction, data []byte, text string) bool {
	for _, i := range code {
		isAddress := i.op == opConst && 0 < i.constant && i.constant < int64(len(data))
		if isAddress && bytes.HasPrefix(data[i.constant:], []byte(text)) {
			return true
		}
	}
	return false
}
