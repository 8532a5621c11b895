package workspace

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestCache checks that a cache has the value just put and stays within its budget, and that it
// returns nothing but the value that was last put, for the same version.
func TestCache(t *testing.T) {
	const budget = 1000
	r := rand.New(rand.NewPCG(1, 1))
	c := newCache(budget)
	last := map[cacheKey]cacheItem{}
	hits := 0
	for step := range 20_000 {
		key := cacheKey{fileID{1, uint64(r.IntN(8))}, []string{"a", "b", "c", "d"}[r.IntN(4)]}
		v := version{file: key.file, size: int64(1 + r.IntN(2))}
		bytes := []int{r.IntN(400), budget, budget + 1}[max(0, r.IntN(22)-19)]
		put := r.IntN(2) == 0
		if put {
			c.put(key, v, step, bytes)
		}
		if put && bytes <= budget {
			last[key] = cacheItem{v, step, bytes}
		}
		got := c.get(key, v)
		if must := put && bytes <= budget; must && got == nil ||
			got != nil && (got != last[key].value || v != last[key].version) {
			t.Fatalf("step %d: got %v; the last was %v", step, got, last[key])
		}
		if got != nil && !put {
			hits++
		}
		used := 0
		for _, item := range c.items {
			used += item.bytes
		}
		if used != c.used || used > budget {
			t.Fatalf("step %d: %d bytes are stored, %d counted", step, used, c.used)
		}
	}
	if hits < 300 {
		t.Errorf("%d hits", hits)
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
