package names

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
)

// keep returns a filter that keeps some names, and marks those with an odd length.
func keep(keep func(last byte) bool) func([]byte, workspace.EntryKind) (bool, bool) {
	return func(name []byte, _ workspace.EntryKind) (bool, bool) {
		return keep(name[len(name)-1]), len(name)%2 == 1
	}
}

// TestTopK compares lists with the sorted directory. A single topK makes all lists.
func TestTopK(t *testing.T) {
	p, n := newTopK(t, reserved), 0
	size := 30_000
	if testing.Short() {
		size = 2500
	}
	even := keep(func(last byte) bool { return last%2 == 0 })
	queries := []Query{
		{},
		{Limit: 1},
		{Limit: 25},
		{Limit: 300},
		{Limit: 700},
		{Limit: 100_000},
		{Limit: math.MaxInt},
		{Limit: math.MaxInt/2 + 1},
		{MaxBytes: 1},
		{MaxBytes: 9000},
		{MaxBytes: 5000, Limit: 400},
		{MaxBytes: math.MaxInt},
		{Keep: even},
		{Keep: even, Limit: 600},
		{Keep: keep(func(byte) bool { return true }), Limit: 25},
		{Keep: keep(func(byte) bool { return false }), Limit: 10},
	}
	each(size, 1, func(what string, all []shown, o Order) {
		q := queries[n%len(queries)] // one each, to save time
		q.Order, n = o, n+1
		for _, p.memory.quota = range []int{reserved, 24 << 10} {
			what := fmt.Sprintf("%s, limit %d, %d bytes", what, q.Limit, q.MaxBytes)
			check(t, what, p, q, all)
		}
	})
}

// TestRequiredFit checks that required names are kept if they fit in memory, and that names are
// removed in large batches if they hardly fit.
func TestRequiredFit(t *testing.T) {
	all := shapes()["descending"]
	const fit = 1000
	for limit := fit * 3 / 4; limit <= fit+5; limit += 5 {
		p := newTopK(t, fit*(recordHead+len(all[0].name)+placeSize))
		p.reset(Query{Limit: limit})
		removals := 0
		for _, s := range all {
			before := p.cutoff
			if p.add([]byte(s.name), s.kind); p.cutoff != before {
				removals++
			}
		}
		l, err := p.take()
		if err != nil || removals > 8*len(all)/fit || limit <= fit/8*7 && len(l.places) < limit {
			t.Errorf("limit %d: %d names after %d removals, %v", limit, len(l.places), removals, err)
		}
	}
}

// TestDuplicateNames adds names twice, as can happen if a directory changes while it is read. No
// other name may be lost.
func TestDuplicateNames(t *testing.T) {
	all := shapes()["ascending"]
	twice := slices.Concat(all, all[:1000], all[2500:])
	for _, limit := range []int{0, 1, 25, 1300} {
		l := pick(t, newTopK(t, reserved), Query{Limit: limit}, twice)
		var got []shown
		for i := range len(l.places) {
			got = append(got, shown{string(l.at(i).Name), l.at(i).Kind})
		}
		once := slices.Compact(got)
		if !slices.Equal(once, all[:len(once)]) || len(l.places) < min(limit, len(all)) {
			t.Errorf("limit %d: %d names, %d without duplicates", limit, len(l.places), len(once))
		}
	}
}

// TestListImmutable checks that lists do not change while their topK makes others.
func TestListImmutable(t *testing.T) {
	type made struct {
		list
		want []shown
	}
	p := newTopK(t, reserved)
	var used []made
	r := rand.New(rand.NewPCG(3, 4))
	shapes := shapes()
	names := slices.Sorted(maps.Keys(shapes))
	for range 60 {
		all := shapes[names[r.IntN(len(names))]]
		all = all[:min(len(all), 4000)]
		q := Query{Order: orders()["lossy"], Limit: []int{0, 10, 600}[r.IntN(3)]}
		l := pick(t, p, q, all)
		used = append(used, made{l, reference(q, all)[:len(l.places)]})
		for _, m := range used {
			checkNames(t, "immutable", q, &m.list, m.want)
		}
	}
}

// TestCancel cancels the context at different points. The topK must return its error instead of a
// list, and work again after the next Reset.
func TestCancel(t *testing.T) {
	each(30_000, 4, func(what string, all []shown, o Order) {
		p := newTopK(t, reserved)
		q := Query{Order: o, Limit: 25}
		for _, left := range []int{0, 1, 2, 5} {
			ctx := &cancelAfter{Context: t.Context(), left: left}
			p.memory.ctx = ctx
			p.reset(q)
			stopped := slices.ContainsFunc(all, func(s shown) bool { return !p.add([]byte(s.name), s.kind) })
			_, err := p.take()
			if done := ctx.left < 0; done != errors.Is(err, context.Canceled) || stopped && err == nil {
				t.Errorf("%s, canceled after %d: %v, stopped: %v", what, left, err, stopped)
			}
		}
		p.memory.ctx = t.Context()
		check(t, what, p, q, all)
	})
}

// A cancelAfter is canceled after left calls of Err.
type cancelAfter struct {
	context.Context
	left int
}

func (c *cancelAfter) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// FuzzTopK makes lists of generated names. Each name in the input represents many.
func FuzzTopK(f *testing.F) {
	f.Add([]byte("a\x00b\x00ab\x00\x00"), uint16(1), uint16(0), uint8(0), int8(0))
	f.Add([]byte("same\x00same-\x00same--\x00"), uint16(700), uint16(25), uint8(1), int8(5))
	f.Add([]byte("k\x00\xff\x00\xe6\xbc\x00K\x00"), uint16(400), uint16(0), uint8(2), int8(-1))
	f.Add(bytes.Repeat([]byte("long-"), 50), uint16(3000), uint16(1000), uint8(3), int8(127))
	orders := orders()
	keys := slices.Sorted(maps.Keys(orders))
	f.Fuzz(func(t *testing.T, data []byte, copies, limit uint16, order uint8, maxKey int8) {
		var all []shown
		for i, part := range bytes.Split(data[:min(len(data), 400)], []byte{0}) {
			for n := range 1 + int(copies)%3000/(1+bytes.Count(data, []byte{0})) {
				name := fmt.Sprintf("%s%.*d", part, n%5, n)
				all = append(all, shown{name, workspace.EntryKind((i + n) % 5)})
			}
		}
		q := Query{Order: orders[keys[int(order)%len(keys)]], Limit: int(limit)}
		if q.Order.MaxKey == 0 {
			q.Order.MaxKey = int(maxKey)
		}
		quota := reserved
		if order >= 128 {
			quota = 64 << 10
		}
		check(t, "", newTopK(t, quota), q, distinct(all))
	})
}

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
