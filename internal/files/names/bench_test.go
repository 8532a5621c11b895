package names

import (
	"fmt"
	"testing"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
)

// listOf makes a list of the names.
func listOf(t testing.TB, p *topK, q Query, all [][]byte) list {
	p.reset(q)
	for _, name := range all {
		p.add(name, workspace.Regular)
	}
	l, err := p.take()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// BenchmarkTopK makes lists of directories in different orders of arrival.
func BenchmarkTopK(b *testing.B) {
	shapes := shapes()
	for _, shape := range []string{"many", "ascending", "descending", "runs"} {
		var all [][]byte
		for _, e := range shapes[shape] {
			all = append(all, []byte(e.name))
		}
		for _, limit := range []int{25, 1000, 0} {
			b.Run(fmt.Sprintf("%s/%d", shape, limit), func(b *testing.B) {
				p := newTopK(b, reserved)
				b.ReportAllocs()
				for b.Loop() {
					l := listOf(b, p, Query{Order: Order{Key: text.LossyKey}, Limit: limit}, all)
					p.memory.held -= l.size()
				}
			})
		}
	}
}
