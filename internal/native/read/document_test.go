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

// TestPartOfMark selects lines of a sheet or of a cell by other arguments, with one path and with
// several.
func TestPartOfMark(t *testing.T) {
	root := t.TempDir()
	tooltest.Put(t, root, "b.ods", tooltest.Spreadsheet("Summary", "1", "2"))
	tooltest.Put(t, root, "n.ipynb", tooltest.Notebook(3))
	c := nativetest.Over(t, listing, withDocuments(), root)
	const cell = `{"path":"n.ipynb#cell=2"`
	for _, tt := range []struct{ args, want string }{
		{cell + `}`, "n.ipynb: lines 7-11 of 17, #cell=2, extracted text"},
		{cell + `,"limit":2}`, "n.ipynb: lines 7-8 of 17, #cell=2, extracted text; continue with " +
			"offset=9"},
		{cell + `,"offset":9,"limit":2}`, "n.ipynb: lines 9-10 of 17, #cell=2, extracted text; " +
			"continue with offset=11"},
		{cell + `,"offset":11}`, "n.ipynb: lines 11-11 of 17, #cell=2, extracted text"},
		{cell + `,"offset":9,"end_line":10}`, "n.ipynb: lines 9-10 of 17, #cell=2, extracted text"},
		{cell + `,"offset":12}`, "bad_arguments: offset must be between 7 and 11, the lines of #cell=2, " +
			"not 12"},
		{cell + `,"offset":9,"end_line":12}`, "bad_arguments: end_line must be between 7 and 11, " +
			"the lines of #cell=2, not 12"},
		{cell + `,"tail":2}`, "bad_arguments: offset must be between 7 and 11, the lines of #cell=2, " +
			"not -2"},
		{cell + `,"block":14}`, "n.ipynb: lines 13-14 of 17, the block around line 14, #cell=3, " +
			"extracted text"},
		{`{"path":"n.ipynb#cell=3","limit":1}`, "n.ipynb: lines 13-13 of 17, #cell=3, extracted text; " +
			"continue with offset=14"},
		{`{"path":"n.ipynb#cell=3","offset":14}`, "n.ipynb: lines 14-17 of 17, #cell=3, extracted text"},
		{`{"path":"n.ipynb#cell=3","offset":2}`, "bad_arguments: offset must be at least 13, the first " +
			"line of #cell=3, not 2"},
		{`{"path":"n.ipynb#cell=9","offset":2}`, "not_found: n.ipynb has no #cell=9; its last cell is 3"},
		{`{"path":"b.ods#sheet=Summary","tail":1}`, "bad_arguments: offset must be between 1 and 2, " +
			"the lines of #sheet=Summary, not -1"},
		{`{"path":["n.ipynb#cell=2","b.ods"],"limit":2}`, "n.ipynb: lines 7-8 of 17, #cell=2, " +
			`extracted text; continue with path="n.ipynb:9-11"`},
	} {
		got, _, _ := strings.Cut(tooltest.Output(c, tt.args, -1), "\n")
		if got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.args, got, tt.want)
		}
	}
}

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

// TestDocuments reads documents by line, by mark and by block, and files that look like documents.
func TestDocuments(t *testing.T) {
	root := t.TempDir()
	for name, content := range map[string]string{
		"n.ipynb":       tooltest.Notebook(3),
		"a.docx":        tooltest.WordDocument("First paragraph.", "Second."),
		"not.ipynb":     "[1, 2]\n",
		"b.ods":         tooltest.Spreadsheet("Summary", "1", "2"),
		"a.go":          "package a\n",
		"x#cell=1":      "a name\n",
		"archive.zip":   "PK\x03\x04 and nothing more",
		"truncated.odt": tooltest.WordDocument("x")[:200],
	} {
		tooltest.Put(t, root, name, content)
	}
	c := nativetest.Over(t, listing, withDocuments(), root)
	for _, tt := range []struct{ args, want string }{
		{`{"path":"n.ipynb","limit":5}`, "n.ipynb: lines 1-5 of 17, #cell=1, extracted text; " +
			"continue with offset=6\n1\t# cell 1: code [1]\n2\tprint(1)\n3\t\n4\t# output\n5\t1\n"},
		{`{"path":"n.ipynb:8"}`, "n.ipynb: lines 8-17 of 17, #cell=2-3, extracted text\n8\tprint(2)\n"},
		{`{"path":"n.ipynb","offset":-2}`, "n.ipynb: lines 16-17 of 17, #cell=3, extracted text\n" +
			"16\t# output\n17\t3"},
		{`{"path":"n.ipynb#cell=2"}`, "n.ipynb: lines 7-11 of 17, #cell=2, extracted text"},
		{`{"path":"n.ipynb#cell=3"}`, "n.ipynb: lines 13-17 of 17, #cell=3, extracted text"},
		{`{"path":"n.ipynb#cell=4"}`, "not_found: n.ipynb has no #cell=4; its last cell is 3"},
		{`{"path":"n.ipynb#page=1"}`, "not_found: n.ipynb has no #page=1; it has no pages"},
		{`{"path":"n.ipynb","block":8}`, "n.ipynb: lines 7-8 of 17, the block around line 8, #cell=2, " +
			"extracted text\n7\t# cell 2: code [2]\n8\tprint(2)"},
		{`{"path":"n.ipynb","offset":99}`, "n.ipynb: 17 lines, none at 99"},
		{`{"path":"a.docx"}`, "a.docx: 3 lines, extracted text\n1\tFirst paragraph.\n2\t\n3\tSecond."},
		{
			`{"path":"a.docx","numbers":false}`,
			"a.docx: 3 lines, extracted text\nFirst paragraph.\n\nSecond.",
		},
		{
			`{"path":"b.ods#sheet=1"}`,
			"b.ods: lines 4-5 of 8, #sheet=1, extracted text\n4\t# sheet 1\n5\tA1\tof 1",
		},
		{`{"path":"b.ods#sheet=3"}`, "b.ods: lines 7-8 of 8, #sheet=2, extracted text"},
		{`{"path":"b.ods#sheet=4"}`, "not_found: b.ods has no #sheet=4; its sheets are Summary, 1, 2"},
		{`{"path":"not.ipynb"}`, "not.ipynb: 1 line\n1\t[1, 2]"},
		{
			`{"path":"a.go#cell=1"}`,
			"bad_arguments: a.go is not a document, so it has no cells; give its path alone",
		},
		{`{"path":"x#cell=1"}`, "x#cell=1: 1 line\n1\ta name"},
		{`{"path":"archive.zip"}`, "archive.zip: a ZIP archive, or a format made of one, 21 bytes; " +
			"binary, so its content is not shown"},
		{`{"path":"truncated.odt"}`, "failed: truncated.odt is not a valid document: its end is missing"},
	} {
		got := tooltest.Output(c, tt.args, -1)
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s:\n%s\nwant\n%s", tt.args, got, tt.want)
		}
	}
}

// withDocuments returns settings with the formats of documents.
func withDocuments() call.Settings {
	return call.Settings{MaxChars: 40_000, Documents: office.Formats()}
}
