package registry_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gander/internal/admission"
	"gander/internal/registry"
	"gander/tool"
)

// TestClients: a client that makes many long calls delays the calls of others no more than they delay each other, and nothing
// is held for a client without calls.
func TestClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, registry.Options{Control: admission.New(8, 0)}, append(fakes("a/x"), fake{id: "a/slow", name: "slow", call: func(context.Context, tool.Call) (tool.Result, error) {
			time.Sleep(time.Minute)
			return tool.Result{}, nil
		}})...)
		greedy := admission.WithClient(t.Context(), "greedy")
		start := time.Now()
		var calls sync.WaitGroup
		for range 20 {
			calls.Go(func() {
				if _, err := r.Call(greedy, "slow", tool.Call{}); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		for _, ctx := range []context.Context{admission.WithClient(t.Context(), "modest"), t.Context()} {
			if _, err := r.Call(ctx, "x", tool.Call{}); err != nil || time.Since(start) > 0 {
				t.Errorf("the call of another: %v after %v", err, time.Since(start))
			}
		}
		gone, cancel := context.WithCancel(greedy)
		cancel()
		if e := failure(t, r, gone, "x", tool.Call{}); e.Kind != tool.Cancelled {
			t.Errorf("%v; its context has ended while it waits for the client's other calls", e)
		}
		calls.Wait()
		if took := time.Since(start); took != 10*time.Minute {
			t.Errorf("20 calls of a minute, two at once, took %v", took)
		}
	})
}

// TestManyClients: while many clients make more calls than may run, the first call of another begins at once, and a place
// that becomes free goes to whoever has waited longest and may have it.
func TestManyClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, registry.Options{Control: admission.New(16, 0)}, append(fakes("a/x"), fake{id: "a/slow", name: "slow", call: func(context.Context, tool.Call) (tool.Result, error) {
			time.Sleep(time.Minute)
			return tool.Result{}, nil
		}})...)
		start := time.Now()
		var calls sync.WaitGroup
		for client := range 4 {
			for range 12 {
				calls.Go(func() {
					if _, err := r.Call(admission.WithClient(t.Context(), fmt.Sprint(client)), "slow", tool.Call{}); err != nil {
						t.Error(err)
					}
				})
			}
			synctest.Wait()
		}
		for i := range 3 {
			if _, err := r.Call(admission.WithClient(t.Context(), fmt.Sprint("other ", i)), "x", tool.Call{}); err != nil || time.Since(start) > 0 {
				t.Errorf("the call of another: %v after %v", err, time.Since(start))
			}
		}
		calls.Wait()
		if took := time.Since(start); took > 5*time.Minute {
			t.Errorf("48 calls of a minute, four at once of each client, took %v", took)
		}
	})
}
