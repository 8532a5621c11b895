package registry_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"gander/internal/admission"
	"gander/internal/registry"
	"gander/tool"
)

// TestDataLimit checks that data has a limit of its own, the smaller of the registry's and the call's.
func TestDataLimit(t *testing.T) {
	r := open(t, registry.Options{MaxOutputBytes: 10, MaxDataBytes: 1000}, fake{id: "a/data", name: "data", call: func(_ context.Context, c tool.Call) (tool.Result, error) {
		limit := *c.Budget.MaxDataBytes
		return tool.Result{Parts: append(tool.Text("text"), tool.Part{Data: make([]byte, limit+len(c.Args)-2)})}, nil
	}})
	for _, own := range []int{0, 999, 2000} {
		call := tool.Call{Budget: tool.Budget{MaxDataBytes: &own}}
		if result, err := r.Call(t.Context(), "data", tool.Call{Budget: call.Budget, Args: []byte(`{}`)}); err != nil || len(result.Parts[1].Data) != min(own, 1000) {
			t.Errorf("%d: %v, %v", own, result, err)
		}
		call.Args = []byte(`{ }`)
		if e := failure(t, r, t.Context(), "data", call); e.Kind != tool.Failed {
			t.Errorf("%d: %v", own, e)
		}
	}
}

// TestSharedBudget checks that registries which share their limits share the memory for results.
func TestSharedBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var held atomic.Int64
		image := fake{id: "a/data", name: "data", call: func(ctx context.Context, _ tool.Call) (tool.Result, error) {
			if err := admission.ReserveResult(ctx, 5<<20); err != nil {
				return tool.Result{}, err
			}
			held.Add(1)
			return tool.Result{Parts: tool.Text("")}, nil
		}}
		control := admission.New(0, 0)
		written, write := context.WithCancel(t.Context())
		for range 20 {
			r := open(t, registry.Options{Control: control}, image)
			go r.Call(admission.WithResponse(t.Context(), written), "data", tool.Call{})
		}
		synctest.Wait()
		if n := held.Load(); n != 6 {
			t.Errorf("%d calls hold 5 MiB, want 6 in 32 MiB", n)
		}
		write()
		synctest.Wait()
		if n := held.Load(); n != 20 {
			t.Errorf("%d calls have continued, want 20", n)
		}
	})
}

// TestTooMuchMemory checks that a call which needs more memory than there is fails.
func TestTooMuchMemory(t *testing.T) {
	r := open(t, registry.Options{}, fake{id: "a/data", name: "data", call: func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		return tool.Result{}, admission.ReserveResult(ctx, 100<<30)
	}})
	if e := failure(t, r, t.Context(), "data", tool.Call{}); e.Kind != tool.Failed || !strings.Contains(e.Message, "107374182400 bytes") {
		t.Errorf("%s: %v", e.Kind, e)
	}
}
