package read

import (
	"fmt"
	"strings"
	"testing"

	"gander/internal/documents/office"
	"gander/internal/native/call"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
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
