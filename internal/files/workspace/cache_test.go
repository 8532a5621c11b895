package workspace

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestCache compares a cache with a list of the values put into it, the most recently used first.
func TestCache(t *testing.T) {
	const budget = 1000
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := newCache(budget)
		var model []cacheItem
		find := func(k cacheKey) int {
			return slices.IndexFunc(model, func(i cacheItem) bool { return i.key == k })
		}
		forget := func(at int) {
			if at >= 0 {
				model = slices.Delete(model, at, at+1)
			}
		}
		used := func() (n int) {
			for _, i := range model {
				n += i.bytes
			}
			return n
		}
		for step := range 500 {
			key := cacheKey{fileID{1, uint64(r.IntN(8))}, []string{"a", "b"}[r.IntN(2)], r.IntN(2)}
			v := version{file: key.file, size: int64(r.IntN(2))}
			if r.IntN(2) == 0 {
				bytes := r.IntN(400)
				if r.IntN(20) == 0 {
					bytes = budget - 1 + r.IntN(3)
				}
				m.put(key, v, step, bytes)
				forget(find(key))
				if bytes <= budget {
					model = slices.Insert(model, 0, cacheItem{key, v, step, bytes})
				}
				for used() > budget {
					model = model[:len(model)-1]
				}
			} else {
				var want any
				at := find(key)
				if at >= 0 && model[at].version == v {
					item := model[at]
					want = item.value
					model = slices.Insert(slices.Delete(model, at, at+1), 0, item)
				} else {
					forget(at)
				}
				if got := m.get(key, v); got != want {
					t.Fatalf("seed %d, step %d: got %v; want %v", seed, step, got, want)
				}
			}
			if m.used != used() || m.used > budget || len(m.items) != len(model) ||
				m.order.Len() != len(model) {
				t.Fatalf(
					"seed %d, step %d: %d bytes in %d items, want %d in %d", seed, step, m.used, len(m.items),
					used(), len(model),
				)
			}
		}
	}
}

// TestStable checks that a version is stable only if both of its times are old enough.
func TestStable(t *testing.T) {
	now := time.Now()
	for _, tt := range []struct {
		modified, changed time.Duration // ago
		want              bool
	}{
		{time.Hour, time.Hour, true},
		{stableAge, stableAge, true},
		{time.Hour, stableAge - 1, false}, // moved, or its old time set again
		{stableAge - 1, time.Hour, false},
		{0, 0, false},
		{-time.Hour, time.Hour, false}, // in the future
		{time.Hour, -time.Hour, false},
	} {
		v := version{modified: now.Add(-tt.modified), changed: now.Add(-tt.changed)}
		if got := v.isStable(now); got != tt.want {
			t.Errorf("modified %v and changed %v ago: %v", tt.modified, tt.changed, got)
		}
	}
}
