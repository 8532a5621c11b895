package filekind

import "testing"

// TestSignatures checks that a text that begins like another format is text.
func TestSignatures(t *testing.T) {
	for head, want := range map[string]string{
		"GIF87a\x01\x00":       "a GIF image",
		"GIF89a\x01\x00":       "a GIF image",
		"GIF89a is a format":   "text",
		"%PDF-1.7\r\n1 0 obj":  "a PDF document",
		"%PDF-1.7 is a format": "text",
		"%PDF- begins a file":  "text",
		"%PDF-\x00":            "a PDF document",
		"\x7fELF":              "an ELF program or library",
		"GIF8 is no signature": "text",
		"GIF88a is none":       "text",
		"BM is two letters":    "text",
		"BM\x36\x00":           "a BMP image",
		"II*\x00\x08":          "a TIFF image",
		"MM\x00*\x00":          "a TIFF image",
		"\x00\x00\x01\x00\x01": "an icon (ICO)",
		"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic": "a HEIC image",
		"\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00mif1avif": "an AVIF image",
		"\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1miaf": "a HEIF image",
		"\x00\x00\x00\x10ftypmif1\x00\x00\x00\x00avif":     "a HEIF image", // after the brands
		"\x00\x00\x00\x18ftypisom\x00\x00\x00\x00isommp42": "MP4 video or a similar format",
		"\x00\x00\x00\x00ftyp":                             "MP4 video or a similar format",
	} {
		if got := From([]byte(head)); got.Name != want {
			t.Errorf("%q: %s", head, got.Name)
		}
	}
}
