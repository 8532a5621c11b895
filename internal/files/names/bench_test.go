package names

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
)

// arrivals returns n names in the orders in which file systems list them: hashed, ascending and
// descending. It also returns hashed names most of which share a long prefix.
func arrivals(n int) map[string][][]byte {
	up := make([][]byte, n)
	for i := range up {
		up[i] = fmt.Appendf(nil, "file-%07d.go", i)
	}
	down, hashed := slices.Clone(up), slices.Clone(up)
	slices.Reverse(down)
	r := rand.New(rand.NewPCG(5, 6))
	r.Shuffle(n, func(i, j int) { hashed[i], hashed[j] = hashed[j], hashed[i] })
	alike := slices.Clone(hashed) // nine in ten names share more bytes than an element's prefix has
	for i, name := range alike {
		if i%10 > 0 {
			alike[i] = append([]byte("file-of-a-module-"), name...)
		}
	}
	return map[string][][]byte{"hashed": hashed, "ascending": up, "descending": down, "alike": alike}
}

// list makes a list of the names in the memory of spare.
func list(t testing.TB, p *TopK, how Query, all [][]byte, spare List) List {
	p.Reset(t.Context(), how, spare)
	for _, name := range all {
		p.Add(name, workspace.Regular)
	}
	l, err := p.List()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestAllocations checks that a TopK that has made a list before allocates nothing for a name, kept
// or rejected, and only a Bound when it removes names.
func TestAllocations(t *testing.T) {
	if testing.Short() {
		t.Skip("sequential, and slow under the race detector")
	}
	const n, perDrop = 20_000, 7
	for arrival, all := range arrivals(n) {
		for name, order := range map[string]Order{
			"raw":   {},
			"lossy": {Key: text.LossyKey, MaxKey: 500},
			"en-US": {Ranks: text.NewCollator().Ranks(), Key: text.NewCollator().AppendKey},
		} {
			for _, want := range []int{0, 25, 1000} {
				var p TopK
				var l List
				how := Query{Order: order, Limit: want}
				allocs := testing.AllocsPerRun(2, func() { l = list(t, &p, how, all, l) })
				drops := 0.0
				if want > 0 {
					drops = n / float64(max(want, minRemoval-want)) // in descending order, the worst
				}
				if allocs > drops*perDrop {
					t.Errorf("%s, %s, %d wanted: %v allocations for %d names", arrival, name, want, allocs, n)
				}
			}
		}
	}
}

func BenchmarkTopK(b *testing.B) {
	const n = 100_000
	for arrival, all := range arrivals(n) {
		for _, want := range []int{25, 1000, 0} {
			b.Run(fmt.Sprintf("%s/%d", arrival, want), func(b *testing.B) {
				var p TopK
				var l List
				b.ReportAllocs()
				for b.Loop() {
					l = list(b, &p, Query{Order: Order{Key: text.LossyKey}, Limit: want}, all, l)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/name")
			})
		}
	}
}
