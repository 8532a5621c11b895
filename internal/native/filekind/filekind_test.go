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
	} {
		if got := kindFrom([]byte(head)); got.Name != want {
			t.Errorf("%q: %s", head, got.Name)
		}
	}
}
