package toolkit

import (
	"slices"
	"strings"
	"testing"
)

// TestGlobs checks the rules for exclude (section 6). Each path is matched as it is and as a directory.
func TestGlobs(t *testing.T) {
	for _, tt := range []struct{ glob, excluded, kept string }{
		{"a", "a", "b ab a/b b/a"},
		{"a/", "a", "b a/b"},
		{"a/b", "a/b", "a b a/b/c x/a/b"},
		{"./a", "./a", "a"},
		{"/a", "", "a"},
		{"A", "A", "a"},

		{"*", "a .a é ab", "a/b"},
		{"*.go", "a.go .go", "a/b.go a.goo"},
		{"a*b", "ab axb axxb", "a/b axbx"},
		{"a**b", "ab axb", "a/b"},
		{"a***b", "ab axb", "a/b"},
		{"a**", "a ab", "a/b"},
		{"a***", "a ab", "a/b"},
		{"*/*", "a/b a", "a/b/c"}, // in a/, nothing follows the slash
		{"?", "a é 😀 .", "ab a/b"},
		{"a?b", "axb", "a/b ab"},

		{"**", "a a/b .a/.b", ""},
		{"**/a", "a x/a x/y/a .x/a", "a/b ab xa"},
		{"**a", "a xa", "x/a"},
		{"a/**", "a a/b a/b/c a/.b", "ab b/a"},
		{"a/**/b", "a/b a/x/b a/x/y/b", "a/bb ab"},
		{"**/a/**", "a x/a a/b x/a/b/c", "x ab"},
		{"a/**/**", "a a/b a/b/c", "ab"},
		{"**/**/a", "a x/a x/y/a", "b"},
		{"a/**b", "a/b a/xb", "a/x/b"},
		{"**/*", "a a/b", ""},
		{"a/**/", "a a/b", "ab"},
		{"b[^a]/**", "bc bc/d", "b ba b/a"},

		{"[ab]", "a b", "c ab"},
		{"[a-c]x", "ax cx", "dx x"},
		{"[!a]", "b é", "a"},
		{"[^a]", "b ^", "a"},
		{"b[^a]", "bc b", "ba"}, // b/ is b and something that is not a
		{"[a-]", "a -", "b"},
		{"[-a]", "a -", "b"},
		{"[a^!]", "a ^ !", "b"},
		{`[\]a]`, "", ""}, // not balanced, see below
		{`[\[\]]`, "[ ]", "a"},
		{"[é-ü]", "ö", "o"},
		{"[*?]", "* ?", "a"},
		{"[]", "", "a [] ]"},
		{"[!]", "", "a !"},
		{"[^]", "", "a ^"},

		{"{a}", "a", "{a}"},
		{"{a,b}", "a b", "c ab"},
		{"{,a}b", "b ab", "a"},
		{"{a,}b", "b ab", "a"},
		{"{a/b,c}", "a/b c", "a b"},
		{"{a,{b,c{d,e}}}", "a b cd ce", "c d"},
		{"{a,b}{c,d}", "ac ad bc bd", "a c"},
		{"*.{log,txt}", "a.log .txt", "a.md"},
		{"{*.go,src/**}", "a.go src src/x/y", "x/a.go"},
		{"{[,],a}", ", a", "b"},
		{`{a\,b,c}`, "a,b c", "a b"},
		{"{}", "", "a {}"},

		{`\*`, "*", "a"},
		{`\a`, "a", "b"},
		{`a\?`, "a?", "ab"},
		{`\{a\}`, "{a}", "a"},
		{`\[a\]`, "[a]", "a"},
		{`\!a`, "!a", "a"},
		{`\\`, `\`, "a"},
		{`a\`, "", "a"},

		{"!a", "a b", ""}, // a/ is not a
		{"!{a,a/}", "b a/b", "a"},
		{"!a/**", "a b", "a/b"},
		{"!!a", "a", "b"},
		{"!", "a", ""},
	} {
		x, err := compile(t.Context(), []string{tt.glob})
		if err != nil {
			if tt.excluded != "" {
				t.Errorf("%s: %v", tt.glob, err)
			}
			continue
		}
		for _, path := range strings.Fields(tt.excluded) {
			if !x.match(t.Context(), path) {
				t.Errorf("%s does not match %s", tt.glob, path)
			}
		}
		for _, path := range strings.Fields(tt.kept) {
			if x.match(t.Context(), path) {
				t.Errorf("%s matches %s", tt.glob, path)
			}
		}
	}
}

// TestInvalidGlobs checks globs that are refused. As in the original, quoted brackets and braces count too.
func TestInvalidGlobs(t *testing.T) {
	for glob, want := range map[string]string{
		"":                              "a glob must not be empty",
		"a\x00":                         "a glob must not contain a NUL character",
		"[":                             `the brackets of the glob "[" are not balanced`,
		"]":                             `the brackets of the glob "]" are not balanced`,
		"[]a]":                          `the brackets of the glob "[]a]" are not balanced`,
		"[!]]":                          `the brackets of the glob "[!]]" are not balanced`,
		"[[]":                           `the brackets of the glob "[[]" are not balanced`,
		`\[`:                            `the brackets of the glob "\[" are not balanced`,
		"][":                            `the brackets of the glob "][" are not balanced`,
		"src/[a-":                       `the brackets of the glob "src/[a-" are not balanced`,
		"{":                             `the braces of the glob "{" are not balanced`,
		"{a,b}}":                        `the braces of the glob "{a,b}}" are not balanced`,
		"}{":                            `the braces of the glob "}{" are not balanced`,
		`\{`:                            `the braces of the glob "\{" are not balanced`,
		"[{]":                           `the braces of the glob "[{]" are not balanced`,
		"{\u202e\n":                     `the braces of the glob "{\u202e\n" are not balanced`,
		"[" + strings.Repeat("x", 4096): "a glob must not be longer than 4096 bytes",
		"[" + strings.Repeat("x", 4000): `the brackets of the glob "[` + strings.Repeat("x", 59) + `..." are not balanced`,
	} {
		if _, err := compile(t.Context(), []string{"ok", glob}); err == nil || err.Error() != want {
			t.Errorf("%.80q\ngot  %v\nwant %s", glob, err, want)
		}
	}
}

// TestManyGlobs checks that globs that would take long are refused. It measures no time: the limit on the size of expanded
// globs bounds it.
func TestManyGlobs(t *testing.T) {
	nested := strings.Repeat("{a,", 30) + "b" + strings.Repeat("}", 30)
	for _, tt := range []struct {
		name  string
		globs []string
		want  error
	}{
		{"nested", []string{nested}, nil},
		{"nested far", []string{strings.Repeat("{a,", 1000) + "b" + strings.Repeat("}", 1000)}, nil},
		{"a product", []string{strings.Repeat("{a,b}", 10)}, nil},
		{"an exploding product", []string{strings.Repeat("{a,b}", 30)}, errTooMuch},
		{"a product of empty ones", []string{strings.Repeat("{,}", 500)}, errTooMuch},
		{"stars", []string{strings.Repeat("**/", 1365)}, nil},
		{"stars in one segment", []string{strings.Repeat("*a", 2047)}, nil},
		{"the longest", []string{strings.Repeat("a", 4096)}, nil},
		{"thousands", slices.Repeat([]string{"**/some_name_*.log"}, 5000), nil},
		{"too many", slices.Repeat([]string{"**/some_name_*.log"}, 50000), errTooMuch},
	} {
		x, err := compile(t.Context(), tt.globs)
		if err != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, err, tt.want)
		}
		if err == nil {
			x.match(t.Context(), strings.Repeat("a", 255)+"/"+strings.Repeat("b/", 500))
		}
	}
}
