package native

import (
	"fmt"
	"math"
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
	c := toolOf(t, DefaultSettings(), "read_file", root)
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
		c := toolOf(t, Settings{MaxChars: chars}, "read_file", root)
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
		_, err = c.binarySection(file, "x.png", contentFrom([]byte(png)))
		file.Close()
		want := "x.png: the file has become shorter while it was read; read it again"
		if err == nil || err.Error() != want {
			t.Errorf("%d bytes left: got %v", left, err)
		}
	}
}

// TestPageFits makes sections of ten items under every budget, in bytes and in characters.
func TestPageFits(t *testing.T) {
	for _, item := range []string{"item", "😀"} {
		for limit := 1; limit <= 120; limit++ {
			b := budget{size: size{limit, math.MaxInt}}
			if item == "😀" {
				b.size = size{math.MaxInt, limit}
			}
			p := &resultPage{budget: b, offset: 1, limit: 10}
			for range 10 {
				if p.next() {
					p.add([]byte(item))
				}
			}
			textOf := func(n int) string {
				text := "head" + strings.Repeat("\n"+item, n)
				if n < 10 {
					text += fmt.Sprintf("\n[%d more]", 10-n)
				}
				return text
			}
			want := ""
			for n := 1; n <= 10; n++ {
				if b.fits(sizeOf(textOf(n))) {
					want = textOf(n)
				}
			}
			s, err := p.section(func(n int) section {
				s := section{heading: "head"}
				if p.continues(n) {
					s.markers = fmt.Sprintf("[%d more]", 10-n)
				}
				return s
			})
			if got := s.text(); got != want || (err != nil) != (want == "") {
				t.Errorf("limit %d: got %q, %v, want %q", limit, got, err, want)
			}
		}
	}
	if _, err := (&files{}).newBudget(tool.Budget{MaxOutputBytes: new(int)}); err == nil {
		t.Error("a budget of 0 has room")
	}
}
