package tool_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gander/tool"
)

// TestDataLimit checks that data has a limit of its own, the smaller of the registry's and the call's.
func TestDataLimit(t *testing.T) {
	r := registry(t, tool.RegistryOptions{MaxOutputBytes: 10, MaxDataBytes: 1000}, fake{id: "a/data", name: "data", call: func(_ context.Context, c tool.Call) (tool.Result, error) {
		limit, limited := c.Budget.DataLimit()
		if !limited {
			t.Error("the call has no limit")
		}
		return tool.Result{Parts: append(tool.Text("text"), tool.Part{Type: tool.ImagePart, Data: make([]byte, limit+len(c.Args)-2)})}, nil
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

// TestHoldData checks that the data of unanswered calls is bounded, and that a call whose context ends stops waiting.
func TestHoldData(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var held atomic.Int64
		r := registry(t, tool.RegistryOptions{MaxDataBytes: 5 << 20}, fake{id: "a/data", name: "data", call: func(ctx context.Context, _ tool.Call) (tool.Result, error) {
			if err := tool.HoldData(ctx, 5<<20); err != nil {
				return tool.Result{}, err
			}
			held.Add(1)
			return tool.Result{Parts: tool.Text("")}, nil
		}})
		answered, written := context.WithCancel(t.Context())
		for range 20 {
			ctx := tool.AnsweredBy(t.Context(), answered)
			go r.Call(tool.AnsweredBy(ctx, t.Context()), "data", tool.Call{})
		}
		synctest.Wait()
		if n := held.Load(); n != 6 {
			t.Errorf("%d calls hold data, want 6 of 5 MiB within 32 MiB", n)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if e := failure(t, r, ctx, "data", tool.Call{}); e.Kind != tool.Timeout {
			t.Errorf("a call that waits: %v", e)
		}
		written()
		synctest.Wait()
		if n := held.Load(); n != 20 {
			t.Errorf("%d calls have gone on, want 20", n)
		}
		for range 20 { // A call that nobody says otherwise of is answered when it returns.
			if _, err := r.Call(t.Context(), "data", tool.Call{}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
