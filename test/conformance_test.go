//go:build unix

package test

import (
	"embed"
	"io/fs"
	"testing"

	"gander/internal/testkit/vectors"
)

//go:embed testdata/vectors/*.json
var vectorFiles embed.FS

// leastCases is how many vectors there are. It only grows: a case that gets lost is noticed.
const leastCases = 676

// conformance returns the vectors. They are embedded, so that a process of another user has them too.
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

// The vectors, through the Go API, through JSON lines and through MCP: one set, three faces, the same bytes.

func TestVectors(t *testing.T) { vectors.Run(t, openAPI, conformance(t)) }

func TestVectorsOverJSONLines(t *testing.T) { vectors.Run(t, openLines, conformance(t)) }

func TestVectorsOverMCP(t *testing.T) { vectors.Run(t, openMCP, conformance(t)) }
