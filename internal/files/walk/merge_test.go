package walk

import (
	"container/heap"
	"fmt"
	"strings"
	"testing"
)

// TestEqualKeys checks that directories with equal keys, all of which wait before the first is
// entered, are not compared with each other one by one. Each comparison allocates two long paths.
func TestEqualKeys(t *testing.T) {
	const n = 1000
	parent := &run{Directory: Directory{Path: strings.Repeat("d", 50)}}
	allocated := testing.AllocsPerRun(1, func() {
		var waiting mergeHeap
		for i := range n {
			name := fmt.Sprintf("%04d", i*7919%n)
			heap.Push(&waiting, &run{parent: parent, name: name, key: []byte("k")})
		}
		for i := range n {
			if got, want := heap.Pop(&waiting).(*run).name, fmt.Sprintf("%04d", i); got != want {
				t.Fatalf("%s comes as number %s", got, want)
			}
		}
	})
	if allocated > 100*n {
		t.Errorf("%.0f allocations for %d directories", allocated, n)
	}
}
