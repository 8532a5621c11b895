package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTrailSize checks that a Trail keeps paths of a limited size, and counts all others.
func TestTrailSize(t *testing.T) {
	dir := t.TempDir()
	name := strings.Repeat("x", 200)
	deep := strings.Repeat(name+"/", 10)
	if err := os.MkdirAll(filepath.Join(dir, deep), 0o700); err != nil {
		t.Fatal(err)
	}
	w, err := Open(Options{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, trail := WithTrail(t.Context())
	const calls = 900
	for i := range calls {
		name := fmt.Sprint(i)
		if err := os.WriteFile(filepath.Join(dir, deep, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		location, err := w.Find(ctx, deep+name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := location.File()
		if err != nil {
			t.Fatal(err)
		}
		file.Close()
		if _, err := w.Find(ctx, "/outside/"+deep); err == nil {
			t.Fatal("a path outside is found")
		}
	}
	opened, refused, more := trail.List()
	size := 0
	for _, o := range opened {
		size += len(o.Path)
	}
	for _, r := range refused {
		size += len(r.Path)
	}
	if size > 2*maxTrailSize || len(opened) < 50 || len(refused) < 50 {
		t.Errorf("%d bytes of %d opened and %d refused paths", size, len(opened), len(refused))
	}
	if all := len(opened) + len(refused) + more; all != 2*calls {
		t.Errorf("%d paths are counted, want %d", all, 2*calls)
	}
}
