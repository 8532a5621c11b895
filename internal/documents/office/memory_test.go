package office

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"gander/internal/admission"
	"gander/internal/documents"
	"gander/internal/testkit/officefiles"
)

// TestMemory reads documents that need much memory in calls with and without enough of it. All that
// a call has reserved for a document is released when it is closed.
func TestMemory(t *testing.T) {
	var entries []string
	for i := range 15_000 {
		entries = append(entries, fmt.Sprint("an entry with a number ", i), "")
	}
	entries = append(entries, "_rels/.rels", officefiles.Related("m", "officeDocument", "word/document.xml"),
		"word/document.xml", "<w:document/>")
	const text = "<si><t>abcdefghijklmnopqrstuvwxyz</t></si>"
	for name, content := range map[string][]byte{
		"a.docx": officefiles.Archive(entries...),
		"a.xlsx": officefiles.XLSX("", strings.Repeat(text, 8<<20/len(text)), ""),
	} {
		for _, enough := range []bool{false, true} {
			limit := int64(2 << 20)
			if enough {
				limit = 32 << 20
			}
			c := admission.New(64, limit)
			_, err := admission.Run(t.Context(), c, 0, func(ctx context.Context) (int, error) {
				d, err := documents.Open(ctx, Formats(), name, bytes.NewReader(content))
				if err != nil {
					return 0, err
				}
				for _, err = range d.Lines(ctx, documents.Limits{}) {
				}
				d.Close()
				return 0, errors.Join(err, admission.Reserve(ctx, limit))
			})
			if _, refused := errors.AsType[admission.Error](err); refused == enough {
				t.Errorf("%s with %d MiB: %v", name, limit>>20, err)
			}
		}
	}
}
