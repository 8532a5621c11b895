package walk_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gander/internal/admission"
	"gander/internal/files/walk"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// TestNewestFirstMemory checks that a walk reserves memory for its records, and that without memory
// it reads the tree again, with the same result, except for an entry modified between two reads.
func TestNewestFirstMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("describes many files")
	}
	inMemory(t)
	const files = 2500
	var entries []string
	for i := range files {
		entries = append(entries, fmt.Sprintf("d%d/e%d/%0200d", i%3, i%4, i))
	}
	root := fixture.Make(t, entries...)
	for i, path := range entries {
		at := time.Unix(int64(files-i/9), 0)
		testkit.Must(t, os.Chtimes(filepath.Join(root, path), at, at))
	}
	for i := 0; i < files; i += 9 { // The newest are first, and equal times in order.
		slices.Sort(entries[i:min(i+9, files)])
	}
	for _, size := range []int64{24 << 20, 1} {
		c := admission.New(0, size)
		_, err := admission.Run(t.Context(), c, 0, func(ctx context.Context) (int, error) {
			var got []string
			o := walk.Options{Order: walk.NewestFirst, Depth: 9, Filter: hideDirectories}
			for e, err := range walk.Entries(ctx, open(t, root), o) {
				if err != nil {
					return 0, err
				}
				if got = append(got, e.Path()); len(got) > 1 {
					continue
				}
				if admission.Reserve(ctx, 8<<20) == nil {
					t.Errorf("%d bytes: the walk has not reserved its memory", size)
				}
				if size == 1 { // The next read of the tree comes after this.
					last := filepath.Join(root, entries[files-1])
					testkit.Must(t, os.Chtimes(last, time.Now(), time.Now()))
					entries = entries[:files-1]
				}
			}
			if !slices.Equal(got, entries) {
				t.Errorf("%d bytes: got %d entries, want %d in order", size, len(got), len(entries))
			}
			return 0, nil
		})
		testkit.Must(t, err)
	}
}
