package text

import (
	"bytes"
	"slices"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// compareUTF16 compares the keys of two names.
func compareUTF16(a, b string) int {
	return bytes.Compare(UTF16Key(nil, []byte(a)), UTF16Key(nil, []byte(b)))
}

// FuzzUTF16Key checks that keys compare as the UTF-16 units of the names.
func FuzzUTF16Key(f *testing.F) {
	names := []string{
		"", "\x00", "A", "a", "a\x00", "a.b", "aé", "a日", "a\ud7ff", "a\U00010000", "a\U00010000\uffff",
		"a😀", "a\U0010ffff", "a\ue000", "a\ue000\U00010000", "a\uf8ff", "a\uffff", "é", "日", "😀",
		"\ufffd",
	}
	for _, a := range names {
		for _, b := range names {
			f.Add(a, b)
		}
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) {
			return
		}
		want := slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		if got := compareUTF16(a, b); got != want {
			t.Errorf("UTF16Key order of (%+q, %+q) = %d, want %d", a, b, got, want)
		}
	})
}

func TestKeysOfWellFormedNamesAreTheNames(t *testing.T) {
	name := []byte("a日😀")
	scratch := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() { UTF16Key(scratch, name) }); n != 0 {
		t.Errorf("UTF16Key allocates %v times", n)
	}
	if key := UTF16Key(scratch, name); &key[0] != &name[0] {
		t.Error("UTF16Key copied a name that is its own key")
	}
}
