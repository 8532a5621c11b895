package block

import (
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"gander/internal/blocks"
	"gander/internal/files/lines"
	"gander/internal/testkit/tooltest"
)

// A shrinking text is empty after a number of reads.
type shrinking struct {
	text  string
	reads int
}

func (s *shrinking) ReadAt(b []byte, offset int64) (int, error) {
	if s.reads == 0 {
		return 0, io.EOF
	}
	s.reads--
	return strings.NewReader(s.text).ReadAt(b, offset)
}

// TestBlockOfShorterFile looks for the block around the last line of a file that another program
// empties meanwhile. Either the line is among those around it, or it is missing.
func TestBlockOfShorterFile(t *testing.T) {
	const n = 300
	text := tooltest.Many(n, func(i int) string { return "func f" + strings.Repeat("o", 2000) })
	found, missing := 0, 0
	for reads := range 40 {
		options := lines.Options{Keep: Kept, Index: lines.NewIndex(), Pool: new(sync.Pool)}
		r := Source{lines.New(&shrinking{text, reads}, options), blocks.ForFile("")}
		b, err := r.Blocks(t.Context(), MaxLines, n)
		r.Cursor.Close()
		switch {
		case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
			missing++
		case err != nil || b[0].Last != 0 && (b[0].First > n || b[0].Last < n):
			t.Errorf("after %d reads: %v, %v", reads, b, err)
		default:
			found++
		}
	}
	if found == 0 || missing == 0 {
		t.Errorf("found %d times, missing %d times", found, missing)
	}
}
