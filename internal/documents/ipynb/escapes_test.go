package ipynb

import "testing"

func TestControls(t *testing.T) {
	for text, want := range map[string]string{
		"a\x1b[1;31mb\x1b[0mc":       "abc",  // colors
		"a\x1b(Bb\x1b)0c\x1b#8d":     "abcd", // character sets
		"\x1b]0;a title é\ab":        "b",
		"\x1b]8;;url\x1b\\b":         "b",
		"\x1bPdata\x1b\\b":           "b",
		"\x1b7a\x1b8b\x1bMc":         "abc", // the cursor
		"\x1b[31\nb":                 "\nb",
		"\x1b]a title that ends\nb":  "\nb",
		"\x1béb\x1b[3é":              "ébé",
		"no sequence, a bell\a, é\n": "no sequence, a bell\a, é\n",
		"the last character\x1b":     "the last character",
	} {
		if got := controls.ReplaceAllString(text, ""); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
