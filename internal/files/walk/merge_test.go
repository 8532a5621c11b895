package walk

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestEqualKeys checks that directories with equal keys, all of which wait before the first is
// entered, are not compared with each other one by one. Each comparison allocates two long paths.
func TestEqualKeys(t *testing.T) {
	const n = 1000
	parent := &run{Directory: Directory{Path: strings.Repeat("d", 50)}}
	allocated := testing.AllocsPerRun(1, func() {
		var w pathOrderWalk
		for i := range n {
			name := fmt.Sprintf("%04d", i*7919%n)
			w.push(&run{parent: parent, name: name, key: []byte("k")})
		}
		for i, run := range slices.Backward(w.runs) {
			if want := fmt.Sprintf("%04d", n-1-i); run.name != want {
				t.Fatalf("%s comes as number %s", run.name, want)
			}
		}
	})
	if allocated > 100*n {
		t.Errorf("%.0f allocations for %d directories", allocated, n)
	}
}
