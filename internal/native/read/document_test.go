package read

import (
	"context"
	"fmt"
	"image"
	"strings"
	"testing"

	"gander/internal/documents"
	"gander/internal/documents/office"
	"gander/internal/native/call"
	"gander/internal/native/list"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
	"gander/internal/toolset"
)

// TestPagesOfMark follows the markers of a cell, which end where it does.
func TestPagesOfMark(t *testing.T) {
	root := t.TempDir()
	tooltest.Put(t, root, "n.ipynb", tooltest.Notebook(3))
	c := nativetest.Over(t, listing, withDocuments(), root)
	for cell, want := range map[int]string{
		1: "1 2 3 4 5", 2: "7 8 9 10 11", 3: "13 14 15 16 17",
	} {
		args := map[string]any{"path": fmt.Sprintf("n.ipynb#cell=%d", cell), "limit": 2}
		var numbers []string
		for _, line := range tooltest.Pages(c, args, func() int { return 1000 }) {
			number, _, _ := strings.Cut(line, "\t")
			numbers = append(numbers, number)
		}
		if got := strings.Join(numbers, " "); got != want {
			t.Errorf("cell %d: lines %s, want %s", cell, got, want)
		}
	}
}

// TestLargeEmptyDocument reads a document whose lines are not counted first, and which has none.
func TestLargeEmptyDocument(t *testing.T) {
	root := t.TempDir()
	metadata := fmt.Sprintf(`"metadata":{"x":%q}`, strings.Repeat("x", countedDocument))
	tooltest.Put(t, root, "x.ipynb",
		strings.Replace(tooltest.Notebook(0), `"metadata":{}`, metadata, 1))
	c := nativetest.Over(t, listing, withDocuments(), root)
	for _, args := range []string{
		`{"path":"x.ipynb"}`, `{"path":"x.ipynb","offset":3}`,
		`{"path":"x.ipynb:-3"}`,
	} {
		const want = "x.ipynb: an empty file, extracted text"
		if got := tooltest.Output(c, args, -1); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}

// withDocuments returns settings with the formats of documents.
func withDocuments() call.Settings {
	return call.Settings{MaxChars: 40_000, Documents: office.Formats()}
}

// A scanner is a format whose documents have three pages: one with text, and two without.
type scanner struct{}

func (scanner) Recognize(context.Context, *documents.Source) (bool, error) { return true, nil }

func (scanner) Write(_ context.Context, _ *documents.Source, w *documents.Writer) error {
	for n := range 3 {
		w.Mark(documents.Mark{Kind: documents.Page, Number: n + 1, Total: 3})
		if n == 0 {
			w.Line([]byte("text"))
		}
	}
	return nil
}

func (scanner) Draw(
	_ context.Context, _ *documents.Source, n, side int, show func(*image.RGBA) error,
) (int, error) {
	if n == 1 || n > 3 {
		return 3, nil
	}
	return 3, show(image.NewRGBA(image.Rect(0, 0, side, side/2)))
}

// TestPicture reads pages with and without text.
func TestPicture(t *testing.T) {
	root := t.TempDir()
	tooltest.Put(t, root, "scan.pdf", "scan")
	for _, tt := range []struct {
		path, want string
		maxData    int
	}{
		{"scan.pdf#page=1", "scan.pdf: lines 1-2 of 8, #page=1 of 3, extracted text\n", 5 << 20},
		{
			"scan.pdf#page=3", "scan.pdf: page 3 of 3, shown as a picture because it has no text\n" +
				"[image: image/png, ", 5 << 20,
		},
		{
			"scan.pdf#page=2", "scan.pdf: page 2 of 3, shown as a picture because it has no text; " +
				"images of more than 100 bytes are not shown", 100,
		},
		{"scan.pdf#page=2-3", "scan.pdf: lines 4-8 of 8, #page=2-3 of 3, extracted text\n", 5 << 20},
		{"scan.pdf#page=4", "not_found: scan.pdf has no #page=4; its last page is 3", 5 << 20},
	} {
		e := nativetest.Environment(tooltest.Workspace(t, nil, root))
		e.Settings.Documents = []documents.Format{scanner{}}
		c := tooltest.NewCaller(t, Tool(e, list.Page), toolset.Options{MaxDataBytes: tt.maxData})
		got := tooltest.Output(c, `{"path":"`+tt.path+`"}`, -1)
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.path, got, tt.want)
		}
	}
}
