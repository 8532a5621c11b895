package native

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// TestReadFileParts checks control characters and images, which recordings omit.
func TestReadFileParts(t *testing.T) {
	root := t.TempDir()
	put(t, root, "forged", "a\r2\tb\u2028c\u0085d\ve\f\n\x01z\n")
	put(t, root, "bell", "\a\b\v\f\r\x1b\x7f\u0085\u2028.")
	put(t, root, "logo.png", png)
	c := toolOf(t, DefaultSettings(), "read_file", nil, root)
	const escaped = `1	\x07\x08\v\f\r\x1b\x7f\u0085\u2028.`
	if got := output(c, `{"path":"bell"}`, -1); !strings.Contains(got, escaped) {
		t.Errorf("escaped: %s", got)
	}
	if got := output(c, `{"path":"forged","numbers":false}`, -1); got != "forged: 2 lines\n"+
		"a\r2\tb\u2028c\u0085d\ve\f\n\x01z" {
		t.Errorf("without numbers: %q", got)
	}
	result, _ := c.Call(`{"path":"logo.png"}`, -1)
	if len(result.Parts) != 2 || string(result.Parts[1].Data) != png ||
		result.Parts[1].MIMEType != "image/png" {
		t.Errorf("the image is %+v", result.Parts)
	}
	if got := output(c, `{"path":"logo.png"}`, 10); !strings.Contains(got, "too small") {
		t.Errorf("an image whose description exceeds the budget: %s", got)
	}
}

// TestShares checks that several paths share the budget: what short files do not need goes to the
// long ones, and all fit together.
func TestShares(t *testing.T) {
	root := t.TempDir()
	put(t, root, "long", strings.Repeat("a line\n", 20_000))
	put(t, root, "short", "short\n")
	for _, chars := range []int{300, 1000, 5000, 40_000} {
		c := toolOf(t, Settings{MaxChars: chars}, "read_file", nil, root)
		got := output(c, `{"path":"long\nshort\nlong:500\nnone","numbers":false}`, -1)
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
		if got := output(c, args, -1); got != want {
			t.Errorf("%s\n got %q\nwant %q", args, got, want)
		}
	}
}

// TestShrinkingImage checks that an image that becomes shorter while it is read is an error.
func TestShrinkingImage(t *testing.T) {
	root := t.TempDir()
	for _, left := range []int64{0, 8} {
		put(t, root, "x.png", png)
		c := newFiles(tooltest.Workspace(t, nil, root)).newCall(t)
		c.budget, _ = c.newBudget(tool.Budget{})
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
		_, err = c.writeBinary(file, "x.png", contentFrom([]byte(png)))
		file.Close()
		want := "x.png: the file has become shorter while it was read; read it again"
		if err == nil || err.Error() != want {
			t.Errorf("%d bytes left: got %v", left, err)
		}
	}
}
