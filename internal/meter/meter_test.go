package meter

import (
	"context"
	"sync"
	"testing"
)

func TestMeter(t *testing.T) {
	ctx, m := New(t.Context())
	if root, entries, bytes := m.Totals(); root != "" || entries != 0 || bytes != 0 {
		t.Errorf("a new meter reads %q, %d, %d", root, entries, bytes)
	}
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			From(ctx).SetRoot(new("/w"))
			for range 1000 {
				From(ctx).Add(1, 2)
			}
		})
	}
	readers.Wait()
	if root, entries, bytes := m.Totals(); root != "/w" || entries != 8000 || bytes != 16000 {
		t.Errorf("the meter reads %q, %d, %d", root, entries, bytes)
	}
}

// TestNested checks that only the innermost meter counts, so that a call made within another is counted apart.
func TestNested(t *testing.T) {
	ctx, outer := New(t.Context())
	inner, m := New(ctx)
	From(inner).Add(3, 0)
	if _, entries, _ := m.Totals(); entries != 3 {
		t.Errorf("the inner meter reads %d", entries)
	}
	if _, entries, _ := outer.Totals(); entries != 0 {
		t.Errorf("the outer meter reads %d", entries)
	}
}

// TestWatch checks that a watching meter counts what every meter below it counts.
func TestWatch(t *testing.T) {
	ctx, watch := Watch(t.Context())
	outer, _ := New(ctx)
	inner, m := New(outer)
	From(outer).Add(1, 10)
	From(inner).Add(2, 20)
	if _, entries, bytes := m.Totals(); entries != 2 || bytes != 20 {
		t.Errorf("the inner meter reads %d, %d", entries, bytes)
	}
	if _, entries, bytes := watch.Totals(); entries != 3 || bytes != 30 {
		t.Errorf("what watches reads %d, %d", entries, bytes)
	}
}

func TestNone(t *testing.T) {
	m := From(context.Background())
	m.Add(1, 1)
	m.SetRoot(new("/w"))
	if m != nil {
		t.Error("a context without a meter has one")
	}
}
