package native

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"

	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// put writes a file.
func put(t testing.TB, root, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// utf16Of returns text in UTF-16 with a byte order mark.
func utf16Of(order binary.AppendByteOrder, text string) string {
	var b []byte
	for _, unit := range append([]uint16{0xfeff}, utf16.Encode([]rune(text))...) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}

const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"

func TestReadFile(t *testing.T) {
	root := t.TempDir()
	write(t, root, "dir/x", "secret/x")
	long := strings.Repeat("é", 2000) + strings.Repeat("b", 700)
	for name, content := range map[string]string{
		"a.txt": "one\ntwo\nthree\nfour\nfive\n", "empty": "", "open": "x\ny",
		"crlf": "a\r\nb\r\n", "mark": "\xef\xbb\xbfone\ntwo\n",
		"le": utf16Of(binary.LittleEndian, "ä\n😀\r\n"), "be": utf16Of(binary.BigEndian,
			"ä\n😀"), "odd": utf16Of(binary.LittleEndian, "a") + "\x00",
		"forged": "a\r2\tb\u2028c\u0085d\ve\f\n\x00z\n", "latin": "gr\xfcn\n", "long": "first\n" + long + "\nlast\n",
		"bin": "a\x00b", "logo.png": png, "big.png": png + strings.Repeat("x", 100),
		"doc.pdf": "%PDF-1.7\n", "a.txt:2": "other\n",
	} {
		if runtime.GOOS != "windows" || name != "a.txt:2" {
			put(t, root, name, content)
		}
	}
	c := toolOf(t, DefaultSettings(), "read_file", []string{"secret/**"}, root)
	for args, want := range map[string]string{
		`{"path":"a.txt","offset":"4","limit":null}`: "a.txt: lines 4-5 of 5\n4\tfour\n5\tfive",
		`{"path":"a.txt","offset":0,"limit":1}`: "a.txt: lines 1-1 of 5; continue with " +
			"offset=2\n1\tone\n[4 more; continue with offset=2]",
		`{"path":"a.txt","offset":-9,"limit":1}`: "a.txt: lines 1-1 of 5; continue with " +
			"offset=2\n1\tone\n[4 more; continue with offset=2]",
		`{"path":"a.txt:-1"}`:           "a.txt: lines 5-5 of 5\n5\tfive",
		`{"path":"a.txt:4","offset":5}`: "a.txt: lines 5-5 of 5\n5\tfive",
		`{"path":"a.txt:2"}`:            "a.txt:2: 1 line\n1\tother",
		`{"path":"a.txt:2:1"}`:          "a.txt:2: 1 line\n1\tother",
		`{"path":"a.txt:2-3"}`: "a.txt: lines 2-3 of 5; continue with " +
			"offset=4\n2\ttwo\n3\tthree\n[2 more; continue with offset=4]",
		`{"path":"a.txt#L4-L9"}`:  "a.txt: lines 4-5 of 5\n4\tfour\n5\tfive",
		`{"path":"./a.txt#L5-5"}`: "a.txt: lines 5-5 of 5\n5\tfive",
		`{"path":"a.txt:3-2"}`: "not_found: there is no a.txt:3-2; did " +
			"you mean a.txt:2, a.txt?",
		`{"path":"a.txt:2-9223372036854775807"}`: "a.txt: lines 2-5 of 5\n2\ttwo\n" +
			"3\tthree\n4\tfour\n5\tfive",
		`{"path":"a.txt:5-5\n\n none\ndir"}`: "a.txt: lines 5-5 of 5\n5\tfive\n\n" +
			"error: there is no none; list_dir path=\".\" shows what is there, find_files " +
			"pattern=\"none\" looks everywhere\n\ndir/: 1 entry\nx",
		`{"path":"a.txt:4\na.txt:1","limit":1}`: "a.txt: lines 4-4 of 5; continue with " +
			"path=\"a.txt\" offset=5\n4\tfour\n[1 more; continue with path=\"a.txt\" offset=5]\n" +
			"\na.txt: lines 1-1 of 5; continue with path=\"a.txt\" offset=2\n1\tone\n" +
			"[4 more; continue with path=\"a.txt\" offset=2]",
		`{"path":"logo.png\nempty"}`: "logo.png: a PNG image, 16 bytes\n\n" +
			"empty: an empty file\n[image: image/png, 16 bytes]",
		`{"path":"a.tx\nbim"}`: "not_found: there is no a.tx; did you " +
			"mean a.txt, a.txt:2?\nthere is no bim; did you mean bin?",
		`{"path":"empty","offset":-3}`: "empty: an empty file",
		`{"path":"empty","block":3}`:   "empty: an empty file",
		`{"path":"open"}`:              "open: 2 lines\n1\tx\n2\ty",
		`{"path":"be","offset":2}`:     "be (UTF-16): lines 2-2 of 2\n2\t😀",
		`{"path":"odd"}`:               "odd (UTF-16): 1 line\n1\ta\ufffd",
		`{"path":"doc.pdf"}`: "doc.pdf: a PDF document, 9 bytes; " +
			"binary, so its content is not shown",
		`{"path":"big.png"}`: "big.png: a PNG image, 116 bytes; " +
			"images of more than 100 bytes are not shown",
		`{"path":"long","limit":2}`: "long: lines 1-2 of 3; continue with " +
			"offset=3\n1\tfirst\n" +
			"2\t" + long[:4000] + ` [line cut at 2,000 of 2,700 characters; the rest: path="long:2:2001"]` + "\n[1 more; continue with offset=3]",
		`{"path":"long:2:2001"}`: "long: line 2, characters 2,001-2,700 " +
			"of 2,700\n2\t" + long[4000:],
		`{"path":"long:2:2690","numbers":false}`: "long: line 2, characters 2,690-2,700 " +
			"of 2,700\n" + long[4689:],
		`{"path":"long:2:2701"}`: "long: line 2 has 2,700 characters, " +
			"none at 2,701",
		`{"path":"long:-2:2700"}`: "long: line 2, characters 2,700-2,700 " +
			"of 2,700\n2\tb",

		`{"path":"dir/y"}`:    `not_found: there is no dir/y; list_dir path="dir" shows what is there, find_files pattern="y" looks everywhere`,
		`{"path":"secret/x"}`: "denied: secret/x: denied by pattern secret/**",
		`{"path":"a.txt","limit":0}`: "bad_arguments: limit must be at least 1, " +
			"not 0",
		`{"path":"a.txt","offset":1,"tail":1}`: "bad_arguments: the arguments give more " +
			"than one range of lines; give offset and limit",
		`{"path":"a.txt","offset":3,"end_line":2}`: "bad_arguments: end_line must be at least " +
			"3, the first line, not 2",
		`{"path":"a.txt","lines":2}`: `bad_arguments: there is no argument "lines"; the arguments are path, offset, limit, block, numbers`,
	} {
		if runtime.GOOS == "windows" && strings.Contains(args+want, "a.txt:2") &&
			!strings.Contains(args, "a.txt:2-") {
			continue // On Windows the name is a stream of a.txt.
		}
		if got := asked(c, args, -1); got != want {
			t.Errorf("%s\n got %q\nwant %q", args, got, want)
		}
	}
	want := "forged: 2 lines\n1\ta\\r2\tb\\u2028c\\u0085d\\ve\\f\n2\t\\x00z\n" +
		"[6 control characters shown as an escape such as \\r]"
	put(t, root, "forged", strings.Replace("a\r2\tb\u2028c\u0085d\ve\f\n\x00z\n", "\x00", "\x01", 1))
	want = strings.Replace(want, `\x00`, `\x01`, 1)
	if got := asked(c, `{"path":"forged"}`, -1); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got := asked(c, `{"path":"forged","numbers":false}`, -1); got != "forged: 2 lines\n"+
		"a\r2\tb\u2028c\u0085d\ve\f\n\x01z" {
		t.Errorf("without numbers: %q", got)
	}
	result, _ := c.Call(`{"path":"logo.png"}`, -1)
	if len(result.Parts) != 2 || string(result.Parts[1].Data) != png ||
		result.Parts[1].MIMEType != "image/png" {
		t.Errorf("the image is %+v", result.Parts)
	}
	if got := asked(c, `{"path":"logo.png"}`, 10); !strings.Contains(got, "too small") {
		t.Errorf("an image whose description exceeds the budget: %s", got)
	}
}

// TestShares checks that several paths share the budget: what short files do not need goes to the long
// ones, and all fit together.
func TestShares(t *testing.T) {
	root := t.TempDir()
	put(t, root, "long", strings.Repeat("a line\n", 20_000))
	put(t, root, "short", "short\n")
	for _, chars := range []int{300, 1000, 5000, 40_000} {
		c := toolOf(t, Settings{MaxChars: chars}, "read_file", nil, root)
		got := asked(c, `{"path":"long\nshort\nlong:500\nnone","numbers":false}`, -1)
		sections := strings.Split(got, "\n\n")
		if len(got) > chars || len(got) < chars-200 || len(sections) != 4 {
			t.Fatalf("%d characters: %d sections of %d: %.200s", chars, len(sections),
				len(got), got)
		}
		if a, b := len(sections[0]), len(sections[2]); a-b > 20 || b-a > 20 {
			t.Errorf("%d characters: the long sections have %d and %d", chars, a, b)
		}
	}
}

// TestLargeImage checks that a sparse image of 100 GB is described, without a limit of the caller.
func TestLargeImage(t *testing.T) {
	root := t.TempDir()
	put(t, root, "x.png", png)
	if err := os.Truncate(filepath.Join(root, "x.png"), 100<<30); err != nil {
		t.Skip("the file system has no sparse files: ", err)
	}
	f := &files{workspace: tooltest.Workspace(t, nil, root), settings: DefaultSettings()}
	result, err := f.tool("read_file").Call(t.Context(),
		tool.Call{Args: []byte(`{"path":"x.png"}`)})
	want := "x.png: a PNG image, 107,374,182,400 bytes; images of more than 33,554,432 bytes " +
		"are not shown"
	if err != nil || result.Text() != want {
		t.Errorf("got %q, %v", result.Text(), err)
	}
}

// TestLargeFile reads a file whose lines are not counted.
func TestLargeFile(t *testing.T) {
	root := t.TempDir()
	var b strings.Builder
	lines := 0
	for ; b.Len() <= countedBytes; lines++ {
		fmt.Fprintf(&b, "line %d of a large file\n", lines+1)
	}
	put(t, root, "big", b.String())
	c := toolOf(t, DefaultSettings(), "read_file", nil, root)
	for args, want := range map[string]string{
		`{"path":"big","limit":1}`: "big: lines 1-1 of at least 2; continue with " +
			"offset=2\n1\tline 1 of a large file\n[more lines follow; continue with offset=2]",
		`{"path":"big","offset":-1}`: fmt.Sprintf("big: lines -1 to -1, counted "+
			"from the end\n-1\tline %d of a large file", lines),
		`{"path":"big","offset":-3,"limit":2}`: fmt.Sprintf("big: lines -3 to -2, counted "+
			"from the end; continue with offset=-1\n-3\tline %d of a large file\n"+
			"-2\tline %d of a large file\n[1 more; continue with offset=-1]", lines-2, lines-1),
		fmt.Sprintf(`{"path":"big:%d"}`, lines): fmt.Sprintf("big: lines %s-%[1]s of %[1]s\n"+
			"%d\tline %[2]d of a large file", number(lines), lines),
		fmt.Sprintf(`{"path":"big:%d"}`, lines+1): fmt.Sprintf("big: %s lines, none at "+
			"%s", number(lines), number(lines+1)),
	} {
		if got := asked(c, args, -1); got != want {
			t.Errorf("%s\n got %q\nwant %q", args, got, want)
		}
	}
}

func TestBlock(t *testing.T) {
	root := t.TempDir()
	put(t, root, "x.go", `package x

import "fmt"

// F does
// something.
func F(
	a int,
) error {
	if a > 0 {
		fmt.Println(a)

	} else {
		a++
	}
	return nil
}

var v = 1
`)
	put(t, root, "x.py", "class A:\n    x = 1\n\n    @property\n    def f(self):\n"+
		"        if x:\n            y()\n\n        return 1\n\n    def g(self):\n        pass\n"+
		"\nmain()\n")
	put(t, root, "x.js", "class A {\n  /**\n   * Runs.\n   */\n  async run(a) {\n    if (a) {\n"+
		"      b();\n    }\n  }\n}\nexport async function f() {\n  if (a) {\n    b();\n  }\n\n"+
		"  return 1;\n}\n")
	put(t, root, "x.md", "# A\n\nText.\n\n## B\n\n```sh\n# comment\n\nls\n```\n\n- one\n  - two\n\n## C\n")
	put(t, root, "flat", strings.Repeat("\tx\n", 900))
	c := toolOf(t, DefaultSettings(), "read_file", nil, root)
	for _, tt := range []struct{ args, want string }{
		{`{"path":"x.go","block":11}`, "lines 5-17 of 19, the block around line 11"},
		{`{"path":"x.go","block":12}`, "lines 5-17 of 19, the block around line 12"},
		{`{"path":"x.go","block":17}`, "lines 5-17 of 19, the block around line 17"},
		{`{"path":"x.go","block":7}`, "lines 5-17 of 19, the block around line 7"},
		{`{"path":"x.go","block":14,"limit":7}`, "lines 10-15 of 19, the block around line 14"},
		{`{"path":"x.go","block":19}`, "lines 19-19 of 19, the block around line 19"},
		{`{"path":"x.go","block":20}`, "19 lines, none at 20"},
		{`{"path":"x.py","block":7}`, "lines 4-9 of 14, the block around line 7"},
		{`{"path":"x.py","block":7,"limit":20}`, "lines 1-12 of 14, the block around line 7"},
		{`{"path":"x.js","block":6}`, "lines 1-10 of 17, the block around line 6"},
		{`{"path":"x.js","block":13}`, "lines 11-17 of 17, the block around line 13"},
		{`{"path":"x.py","block":7,"limit":6}`, "lines 4-9 of 14, the block around line 7"},
		{`{"path":"x.py","block":7,"limit":2}`, "lines 6-7 of 14, the block around line 7"},
		{`{"path":"x.py","block":14}`, "lines 14-14 of 14, the block around line 14"},
		{`{"path":"x.md","block":10}`, "lines 5-14 of 16, the block around line 10"},
		{`{"path":"x.md","block":14}`, "lines 5-14 of 16, the block around line 14"},
		{`{"path":"x.md","block":3}`, "16 lines, the block around line 3"},
		{`{"path":"flat","block":500}`, "lines 450-649 of 900, because no block of at most 200 " +
			"lines is around line 500"},
	} {
		got, _, _ := strings.Cut(asked(c, tt.args, -1), "\n")
		if _, got, _ = strings.Cut(got, ": "); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.args, got, tt.want)
		}
	}
}

// TestShrinkingImage checks that an image that becomes shorter while it is read is an error.
func TestShrinkingImage(t *testing.T) {
	root := t.TempDir()
	for _, left := range []int64{0, 8, 16} {
		put(t, root, "x.png", png)
		f := newFiles(tooltest.Workspace(t, nil, root))
		c := f.newCall(t)
		c.budget, _ = f.newBudget(tool.Budget{})
		found, err := c.find("x.png")
		if err != nil {
			t.Fatal(err)
		}
		file, err := found.location.File()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(root, "x.png"), left); err != nil {
			t.Skip("an open file cannot be cut here: ", err)
		}
		s, err := c.writeBinary(file, "x.png", contentFrom([]byte(png)))
		file.Close()
		want := "x.png: the file has become shorter while it was read; read it again"
		switch {
		case left == 16 && (err != nil || len(s.data) != 1):
			t.Errorf("%d bytes left: %v", left, err)
		case left < 16 && (err == nil || err.Error() != want):
			t.Errorf("%d bytes left: got %v", left, err)
		}
	}
}
