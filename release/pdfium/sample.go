package main

import "fmt"

// sampleImages lowers the size from which on PDFium draws an image from some of its pixels, and
// needs not have all of it in memory: kHugeImageSize, a number that only one function has.
func sampleImages(m *module) error {
	const before, after = 60_000_000 - 1, 28_000_000 - 1 // of the same length
	found := 0
	for _, f := range m.functions {
		code, err := f.instructions()
		if err != nil {
			return err
		}
		for _, i := range code {
			if i.op == opConst && i.constant == before {
				copy(f.code[i.start+1:], appendSigned(nil, after))
				found++
			}
		}
	}
	if found != 1 {
		return fmt.Errorf("the size of huge images is mentioned %d times", found)
	}
	return nil
}
