//go:build unix

package conformance

import (
	"embed"
	"io/fs"
	"testing"

	"gander/internal/testkit/vectors"
)

//go:embed testdata/vectors/*.json
var vectorFiles embed.FS

// leastCases is the number of vectors. It only grows, so that a lost case is noticed.
const leastCases = 1008

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

// The same vectors give the same bytes through the Go API, through JSON lines and through MCP.

func TestVectors(t *testing.T) { vectors.Run(t, openAPI, conformance(t)) }

func TestVectorsOverJSONLines(t *testing.T) { vectors.Run(t, openLines, conformance(t)) }

func TestVectorsOverMCP(t *testing.T) { vectors.Run(t, openMCP, conformance(t)) }
