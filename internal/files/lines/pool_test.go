package lines

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
)

// TestPool compares cursors that share a pool, concurrently and sequentially, with cursors that
// have their own memory. Some lines are longer than the blocks of the pool.
func TestPool(t *testing.T) {
	var pool sync.Pool
	var wait sync.WaitGroup
	for i := range 8 {
		var file strings.Builder
		for n := range 3000 {
			fmt.Fprintf(&file, "%d:%d %s\n", i, n, strings.Repeat("x", (n%7)*(n%50)))
		}
		long := strings.Repeat(string(rune('a'+i)), 2*fullBlock)
		text := strings.NewReader(file.String() + long)
		wait.Go(func() {
			for first := 1; first < 3000; first += 701 {
				lent := New(text, Options{Keep: 3 * fullBlock, Pool: &pool})
				own := New(text, Options{Keep: 3 * fullBlock})
				err, wantErr := lent.Seek(t.Context(), first), own.Seek(t.Context(), first)
				for err == nil && wantErr == nil {
					var got, want Line
					got, err = lent.Next(t.Context())
					want, wantErr = own.Next(t.Context())
					if got.Number != want.Number || !bytes.Equal(got.Text, want.Text) {
						t.Errorf("line %d is %.60q, want line %d, %.60q",
							got.Number, got.Text, want.Number, want.Text)
						return
					}
				}
				if err != io.EOF || wantErr != io.EOF {
					t.Errorf("got %v and %v", err, wantErr)
				}
				lent.Close()
			}
		})
	}
	wait.Wait()
}
