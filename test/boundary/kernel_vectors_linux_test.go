package boundary

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/program"
)

// A vectorFile is a part of a file of vectors: calls on fixtures.
type vectorFile struct {
	Tool     string
	Fixtures map[string][]fixture.Item
	Cases    []struct {
		Tool, Fixture string
		Args          json.RawMessage
	}
}

// TestBoundaryKernelVectors makes the calls of all vectors with and without the confinement by the
// kernel, and compares the results.
func TestBoundaryKernelVectors(t *testing.T) {
	testkit.SkipLong(t)
	needConfinement(t)
	gander, err := program.Path()
	testkit.Must(t, err)
	names, err := filepath.Glob("../conformance/testdata/vectors/*.json")
	testkit.Must(t, err)
	calls := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		testkit.Must(t, err)
		var f vectorFile
		testkit.Must(t, json.Unmarshal(data, &f))
		for fixtureName, items := range f.Fixtures {
			t.Run(filepath.Base(name)+"/"+fixtureName, func(t *testing.T) {
				root := fixture.Build(t, items)
				both := twoServers{serve(t, gander, "", "--root", root), serveHere(t, root)}
				for _, c := range f.Cases {
					if c.Fixture != fixtureName || len(c.Args) == 0 {
						continue
					}
					calls++
					id := c.Tool
					if id == "" {
						id = f.Tool
					}
					var args bytes.Buffer
					testkit.Must(t, json.Compact(&args, c.Args))
					line := bytes.ReplaceAll(args.Bytes(), []byte("${ROOT}"), []byte(root))
					both.compare(t, id, string(line))
				}
			})
		}
	}
	if calls < 1000 {
		t.Errorf("made %d calls", calls)
	}
}
