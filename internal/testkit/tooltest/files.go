package tooltest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"gander/internal/testkit/fixture"
	"gander/internal/testkit/officefiles"
	"gander/tool"
)

// Output returns the text of a result or of an error.
func Output(c Caller, args string, limit int) string {
	c.T.Helper()
	result, failure := c.Call(args, limit)
	if failure != nil {
		return fmt.Sprintf("%s: %s", failure.Kind, failure.Message)
	}
	return result.Text()
}

// CallTwice checks that two calls agree within the limit. It reports false if that is too small.
func CallTwice(c Caller, args string, limit int) (tool.Result, bool) {
	c.T.Helper()
	result, failure := c.Call(args, limit)
	if failure != nil {
		if !strings.Contains(failure.Message, "too small for any answer") {
			c.T.Fatalf("%s: %s", args, failure.Message)
		}
		return result, false
	}
	if again, _ := c.Call(args, limit); again.Text() != result.Text() {
		c.T.Errorf("%s: two results:\n%s\n%s", args, result.Text(), again.Text())
	}
	if limit >= 0 && len(result.Text()) > limit {
		c.T.Errorf("%s: %d bytes, the limit is %d", args, len(result.Text()), limit)
	}
	return result, true
}

var offsetMarker = regexp.MustCompile(`\n\[(?:[\d,]+ more; )?continue with offset=(\d+)\]$`)

// Pages follows the markers to the end, and returns the lines without headings and markers.
func Pages(c Caller, args map[string]any, budget func() int) (lines []string) {
	c.T.Helper()
	for range 10_000 {
		raw, err := json.Marshal(args)
		fixture.Must(c.T, err)
		result, ok := CallTwice(c, string(raw), budget())
		for i := 1; !ok && i < 8; i++ {
			result, ok = CallTwice(c, string(raw), 2000*i)
		}
		text := result.Text()
		next := offsetMarker.FindStringSubmatch(text)
		if result.Truncated != (next != nil) {
			c.T.Errorf("%s: truncated is %v:\n%s", raw, result.Truncated, text)
		}
		if next == nil {
			return append(lines, strings.Split(text, "\n")[1:]...)
		}
		body := strings.Split(strings.TrimSuffix(text, next[0]), "\n")
		lines = append(lines, body[1:]...)
		offset, _ := strconv.Atoi(next[1])
		last, _ := args["offset"].(int)
		if !strings.Contains(body[0], "continue with offset="+next[1]) || offset <= last {
			c.T.Fatalf("%s: the heading has no hint to continue, or no progress:\n%s", raw, text)
		}
		args["offset"] = offset
	}
	c.T.Fatal("too many pages")
	return nil
}

// RandomBudget returns budgets from tiny to large.
func RandomBudget(r *rand.Rand) func() int {
	return func() int { return []int{60, 150, 400, 1000, 5000, 40_000}[r.IntN(6)] }
}

// Put writes a file and its directories.
func Put(t testing.TB, root, name, content string) {
	t.Helper()
	file := filepath.Join(root, name)
	fixture.Must(t, os.MkdirAll(filepath.Dir(file), 0o755))
	fixture.Must(t, os.WriteFile(file, []byte(content), 0o644))
}

// Write makes files that contain their paths. A path that ends in a slash is a directory.
func Write(t testing.TB, root string, paths ...string) {
	t.Helper()
	for _, p := range paths {
		if !strings.HasSuffix(p, "/") {
			Put(t, root, p, p)
		} else if err := os.MkdirAll(filepath.Join(root, p), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// UTF16 returns text in UTF-16 with a byte order mark.
func UTF16(order binary.AppendByteOrder, text string) string {
	var b []byte
	for _, unit := range append([]uint16{0xfeff}, utf16.Encode([]rune(text))...) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}

// PNG is an image of one pixel.
const PNG = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" +
	"\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00:~\x9bU" +
	"\x00\x00\x00\nIDATx\xdach\x00\x00\x00\x82\x00\x81\xdaE\b;\x00\x00\x00\x00IEND\xaeB`\x82"

// Many returns n lines.
func Many(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

// Notebook returns a notebook with cells of code, each with an output.
func Notebook(cells int) string {
	var all []string
	for i := range cells {
		all = append(all, fmt.Sprintf(`{"cell_type":"code","execution_count":%d,`+
			`"source":["print(%[1]d)"],"outputs":[`+
			`{"output_type":"stream","name":"stdout","text":["%[1]d\n"]}]}`, i+1))
	}
	return `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[` + strings.Join(all, ",") + `]}`
}

// WordDocument returns a DOCX file with paragraphs.
func WordDocument(paragraphs ...string) string {
	body := strings.Join(paragraphs, "</w:t></w:r></w:p><w:p><w:r><w:t>")
	return string(officefiles.DOCX("<w:p><w:r><w:t>" + body + "</w:t></w:r></w:p>"))
}

// Spreadsheet returns an ODS file with sheets, each of which has its name in a cell.
func Spreadsheet(names ...string) string {
	var sheets strings.Builder
	for _, name := range names {
		fmt.Fprintf(&sheets, `<table:table table:name="%s"><table:table-row><table:table-cell>`+
			`<text:p>of %[1]s</text:p></table:table-cell></table:table-row></table:table>`, name)
	}
	return string(officefiles.ODF("spreadsheet", "", sheets.String()))
}
