package names

import (
	"fmt"
	"testing"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
)

// list makes a list of the names in the memory of spare.
func list(t testing.TB, p *TopK, q Query, all [][]byte, spare List) List {
	p.Reset(t.Context(), q, spare)
	for _, name := range all {
		p.Add(name, workspace.Regular)
	}
	l, err := p.List()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// arrivals returns the names of directories in different orders of arrival.
func arrivals() map[string][][]byte {
	all := map[string][][]byte{}
	shapes := shapes()
	for _, shape := range []string{"many", "ascending", "descending", "runs"} {
		for _, e := range shapes[shape] {
			all[shape] = append(all[shape], []byte(e.name))
		}
	}
	return all
}

// TestAllocations checks that a TopK that has made a list before allocates nothing for a name, kept
// or rejected, and only a Bound when it removes names.
func TestAllocations(t *testing.T) {
	for shape, all := range arrivals() {
		for name, order := range map[string]Order{
			"raw":   {},
			"lossy": {Key: text.LossyKey, MaxKey: 500},
			"en-US": {Key: text.NewCollator().AppendKey},
		} {
			for _, limit := range []int{0, 25, 1000} {
				var p TopK
				var l List
				q := Query{Order: order, Limit: limit}
				allocs := testing.AllocsPerRun(2, func() { l = list(t, &p, q, all, l) })
				removals := 0
				if limit > 0 { // in descending order, the worst
					removals = len(all) / max(limit, minRemoval-limit)
				}
				if allocs > float64(removals*7) {
					t.Errorf("%s, %s, limit %d: %v allocations", shape, name, limit, allocs)
				}
			}
		}
	}
}

func BenchmarkTopK(b *testing.B) {
	for shape, all := range arrivals() {
		for _, limit := range []int{25, 1000, 0} {
			b.Run(fmt.Sprintf("%s/%d", shape, limit), func(b *testing.B) {
				var p TopK
				var l List
				b.ReportAllocs()
				for b.Loop() {
					l = list(b, &p, Query{Order: Order{Key: text.LossyKey}, Limit: limit}, all, l)
				}
			})
		}
	}
}
