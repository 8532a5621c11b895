// Package officefiles makes small documents of all formats for tests, and reads them.
package officefiles

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"gander/internal/documents"
)

// Read returns the lines of a document, and the error in the form of a message.
func Read(
	ctx context.Context, formats []documents.Format, name string, content []byte,
	limits documents.Limits,
) (lines []documents.Line, problem string) {
	d, err := documents.Open(ctx, formats, name, bytes.NewReader(content))
	if err != nil {
		return nil, err.Error()
	}
	if d == nil {
		return nil, "no document"
	}
	defer d.Close()
	for line, err := range d.Lines(ctx, limits) {
		if err != nil {
			return lines, name + " " + err.Error()
		}
		line.Text = bytes.Clone(line.Text)
		lines = append(lines, line)
	}
	return lines, ""
}

// Text returns lines and an error as they would be printed.
func Text(lines []documents.Line, problem string) string {
	var b strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&b, "%s\n", line.Text)
	}
	if problem != "" {
		fmt.Fprintf(&b, "error: %s\n", problem)
	}
	return b.String()
}

// Runner returns a function that checks the text of a document of a format, whose file has a name.
func Runner(
	t *testing.T, format documents.Format, file string,
) func(test string, content []byte, want string) {
	return func(test string, content []byte, want string) {
		t.Run(test, func(t *testing.T) {
			formats := []documents.Format{format}
			got := Text(Read(t.Context(), formats, file, content, documents.Limits{}))
			if got != want {
				t.Errorf("got\n%.2000s\nwant\n%.2000s", got, want)
			}
		})
	}
}
