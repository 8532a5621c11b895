//go:build unix

package conformance

import (
	"bytes"
	"embed"
	"flag"
	"io/fs"
	"os"
	"testing"

	"gander/internal/testkit/vectors"
)

//go:embed testdata/vectors/*.json
var vectorFiles embed.FS

// leastCases is the number of vectors. It only grows, so that a lost case is noticed.
const leastCases = 1017

// conformance returns the vectors. They are embedded because the process of another user may not be able to read them.
func conformance(t *testing.T) []vectors.File {
	t.Helper()
	dir, err := fs.Sub(vectorFiles, "testdata/vectors")
	if err != nil {
		t.Fatal(err)
	}
	files, err := vectors.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range files {
		n += len(f.Cases)
	}
	if n < leastCases {
		t.Fatalf("there are %d vectors, want at least %d", n, leastCases)
	}
	return files
}

var update = flag.Bool("update", false, "write what gander's own tools answer to testdata/vectors/gander.json, and test nothing")

// TestVectors checks that the same vectors give the same bytes through the Go API and through MCP.
func TestVectors(t *testing.T) {
	if !*update {
		interfaces := []vectors.Interface{{Name: "MCP", Open: openMCP, ClientRoots: true}}
		if !testing.Short() {
			interfaces = append(interfaces, vectors.Interface{Name: "Go", Open: openAPI})
		}
		vectors.Run(t, conformance(t), interfaces...)
		return
	}
	if err := os.WriteFile(own, vectors.Record(t, openAPI, ownVectors(t)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// own is the file with the vectors of gander's own tools.
const own = "testdata/vectors/gander.json"

func ownVectors(t *testing.T) []byte {
	t.Helper()
	data, err := vectorFiles.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestRecord checks that recording the vectors again changes what is wrong, and nothing else.
func TestRecord(t *testing.T) {
	want := ownVectors(t)
	wrong := want
	for _, part := range []string{"continue with offset=", "there is no"} {
		wrong = bytes.ReplaceAll(wrong, []byte(part), []byte("something else \\n"))
	}
	if got := vectors.Record(t, openAPI, wrong); !bytes.Equal(got, want) {
		t.Error("the vectors that are recorded again differ from the file")
	}
}
