package office

import (
	"testing"

	"gander/internal/documents"
)

// A formTest checks the text of a document.
type formTest struct {
	name    string
	content []byte
	want    string
}

func (tt formTest) run(t *testing.T, file string) {
	t.Run(tt.name, func(t *testing.T) {
		got := text(read(t.Context(), file, tt.content, documents.Limits{}))
		if got != tt.want {
			t.Errorf("got\n%.2000s\nwant\n%.2000s", got, tt.want)
		}
	})
}
