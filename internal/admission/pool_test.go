package admission

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestPoolAlways makes random steps, and checks after each what always holds: no part is exceeded,
// the totals are sums, whoever is first waits only because it does not fit, and a hold is dropped
// only for a client with less.
func TestPoolAlways(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(1, 2))
		p := NewPool(48, 16, 4)
		ctx, cancel := context.WithCancel(t.Context())
		var holds []*Hold
		var served atomic.Int64
		waited, dropped, refused := int64(0), 0, 0
		for range 4000 {
			n := 1 + random.Int64N(6)
			switch i := random.IntN(max(len(holds), 1)); {
			case len(holds) < 5 || random.IntN(3) == 0:
				from := Caller{fmt.Sprint(random.IntN(6)), fmt.Sprint(random.IntN(3))}
				h := p.Open(from)
				holds = append(holds, h)
				if random.IntN(2) == 0 {
					waited++
					go func() {
						if h.Wait(ctx, n) == nil {
							served.Add(1)
						}
					}()
					break
				}
				h.SetDrop(func() { dropped++ })
				before := h.client.total.used
				if !h.Try(n) {
					refused++
					if v := p.victimLocked(&waiter{h, n, nil}); v != nil {
						t.Fatalf("refused beside %+v, which has more than %d", v, before)
					}
				}
			case random.IntN(2) == 0:
				holds[i].Release(n)
			case random.IntN(2) == 0:
				holds[i].SetDrop(nil)
			default:
				holds[i].End()
				holds = slices.Delete(holds, i, i+1)
			}
			synctest.Wait()
			checkPool(t, p, holds)
		}
		isAllOrNone := served.Load() == 0 || served.Load() == waited
		if isAllOrNone || dropped == 0 || refused == 0 {
			t.Errorf("%d of %d served, %d dropped, %d refused",
				served.Load(), waited, dropped, refused)
		}
		cancel()
		for _, h := range holds {
			h.End()
		}
		synctest.Wait()
		if p.used+p.keptUsed != 0 || len(p.clients)+len(p.waiting)+len(p.droppable) > 0 {
			t.Errorf("left: %+v", p)
		}
	})
}

func checkPool(t *testing.T, p *Pool, holds []*Hold) {
	t.Helper()
	var amount, kept int64
	for _, h := range holds {
		amount += h.amount
		kept += h.kept
		if h.kept > h.amount || h.ended && h.amount > 0 {
			t.Fatalf("%+v", h)
		}
	}
	if p.used > p.size || p.keptUsed > p.kept || p.used+p.keptUsed != amount || p.keptUsed != kept {
		t.Fatalf("%+v for %d and %d", p, amount, kept)
	}
	for _, c := range p.clients {
		var used int64
		for _, of := range c.connections {
			used += of.used
		}
		if used != c.total.used {
			t.Fatalf("%+v", c)
		}
	}
	if len(p.waiting) == 0 {
		return
	}
	first := slices.MinFunc(p.waiting, compare)
	if p.used+first.amount <= p.size-p.kept/2 {
		t.Fatalf("%+v waits in %+v", first, p)
	}
	isLittle := first.hold.client.total.used+first.amount <= p.little
	if isLittle && p.keptUsed+first.amount <= p.kept {
		t.Fatalf("%+v has little and waits in %+v", first, p)
	}
}

// TestNobodyStarves checks that a large request is served while small ones keep coming.
func TestNobodyStarves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPool(48, 16, 4)
		start := time.Now()
		for i := range 200 {
			go func() {
				time.Sleep(time.Duration(i) * time.Second)
				h := p.Open(Caller{fmt.Sprint(i % 3), ""})
				defer h.End()
				if err := h.Wait(t.Context(), 4); err != nil {
					t.Error(err)
				}
				time.Sleep(15 * time.Second)
			}()
		}
		time.Sleep(30 * time.Second)
		h := p.Open(Caller{"large", ""})
		if err := h.Wait(t.Context(), 48); err != nil || time.Since(start) > time.Minute {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		h.End()
		time.Sleep(time.Hour)
	})
}
