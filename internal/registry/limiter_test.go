package registry_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gander/internal/admission"
	"gander/internal/registry"
	"gander/tool"
)

// soon is how long after its end a call may be answered, as the specification promises.
const soon = 100 * time.Millisecond

// late is how long after its end a call counts as stuck.
const late = time.Second + soon

// stubborn is a tool that ignores its context until it is released.
func stubborn(release <-chan struct{}) tool.Tool {
	return fake{id: "a/stubborn", name: "stubborn", call: func(context.Context, tool.Call) (tool.Result, error) {
		<-release
		return tool.Result{Parts: tool.Text("late")}, nil
	}}
}

// TestEnd: a call is answered when its time is over, and not before, whatever the tool does.
func TestEnd(t *testing.T) {
	heeding := func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	}
	slow := func(d time.Duration) func(context.Context, tool.Call) (tool.Result, error) {
		return func(context.Context, tool.Call) (tool.Result, error) {
			time.Sleep(d)
			return tool.Result{Parts: tool.Text("slow")}, nil
		}
	}
	tests := []struct {
		name    string
		call    func(context.Context, tool.Call) (tool.Result, error)
		timeout time.Duration // of the registry
		cancel  time.Duration // after which the caller cancels
		kind    tool.Kind
		at      time.Duration // the earliest answer
	}{
		{"heeds its deadline", heeding, time.Second, 0, tool.Timeout, time.Second},
		{"heeds cancelling", heeding, time.Minute, time.Second, tool.Cancelled, time.Second},
		{"ignores its deadline", slow(time.Hour), time.Second, 0, tool.Timeout, time.Second},
		{"ignores cancelling", slow(time.Hour), 0, time.Second, tool.Cancelled, time.Second},
		{"in time", slow(time.Second), time.Minute, 0, "", time.Second},
		{"without a limit", slow(time.Hour), 0, 0, "", time.Hour},
		{"a little late, with an answer", slow(time.Second + time.Millisecond), time.Second, 0, "", time.Second},
		{"ends its goroutine", func(context.Context, tool.Call) (tool.Result, error) {
			runtime.Goexit()
			return tool.Result{}, nil
		}, 0, 0, tool.Internal, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if tt.cancel > 0 {
					time.AfterFunc(tt.cancel, cancel)
				}
				r := open(t, registry.Options{Timeout: tt.timeout}, fake{id: "a/x", name: "x", call: tt.call})
				start := time.Now()
				_, err := r.Call(ctx, "x", tool.Call{})
				if took := time.Since(start); took < tt.at || took >= tt.at+soon {
					t.Errorf("answered after %v, want %v", took, tt.at)
				}
				var e *tool.Error
				if errors.As(err, &e); (tt.kind == "") != (err == nil) || err != nil && e.Kind != tt.kind {
					t.Errorf("got %v, want kind %q", err, tt.kind)
				}
				time.Sleep(2 * time.Hour) // until what was left behind has ended
			})
		})
	}
}

// TestEndedBefore: where nothing can come of a call, the tool is not called.
func TestEndedBefore(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	r := open(t, registry.Options{}, fake{id: "a/x", name: "x", call: func(context.Context, tool.Call) (tool.Result, error) {
		t.Error("the tool is called")
		return tool.Result{}, nil
	}})
	for range 20 {
		if e := failure(t, r, ended, "x", tool.Call{}); e.Kind != tool.Cancelled {
			t.Errorf("got %s: %v", e.Kind, e)
		}
	}
}

// TestApproverTime: an approver may take longer than the timeout, which begins when the tool is called.
func TestApproverTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, registry.Options{
			Timeout: time.Second,
			Policy: tool.Policy{Prompt: []string{"all"}, Approve: func(context.Context, tool.Spec, tool.Call) error {
				time.Sleep(time.Hour)
				return nil
			}},
		}, fake{id: "a/x", name: "x", call: func(ctx context.Context, _ tool.Call) (tool.Result, error) {
			if deadline, ok := ctx.Deadline(); !ok || time.Until(deadline) != time.Second {
				t.Errorf("the tool is told a deadline in %v, %v; want a second", time.Until(deadline), ok)
			}
			return tool.Result{}, nil
		}})
		if _, err := r.Call(t.Context(), "x", tool.Call{}); err != nil {
			t.Error(err)
		}
	})
}

// TestApproverEnds: a call whose caller gives up while the approver decides is cancelled.
func TestApproverEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := open(t, registry.Options{
		Policy: tool.Policy{Prompt: []string{"all"}, Approve: func(ctx context.Context, _ tool.Spec, _ tool.Call) error {
			cancel()
			<-ctx.Done()
			return errors.New("nobody came")
		}},
	}, fakes("a/x")...)
	if e := failure(t, r, ctx, "x", tool.Call{}); e.Kind != tool.Cancelled {
		t.Errorf("%s, %v", e.Kind, e)
	}
}

// TestControl: admission.New(no, 0) more calls run at once than may; the others wait until their own contexts end.
func TestMaxCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		running, most := 0, 0
		r := open(t, registry.Options{Control: admission.New(3, 0), Timeout: time.Hour}, fake{id: "a/x", name: "x", call: func(context.Context, tool.Call) (tool.Result, error) {
			mu.Lock()
			running++
			most = max(most, running)
			mu.Unlock()
			time.Sleep(time.Minute)
			mu.Lock()
			running--
			mu.Unlock()
			return tool.Result{}, nil
		}})
		start := time.Now()
		var calls sync.WaitGroup
		for range 10 {
			calls.Go(func() {
				if _, err := r.Call(t.Context(), "x", tool.Call{}); err != nil {
					t.Error(err)
				}
			})
		}
		calls.Go(func() {
			time.Sleep(time.Second)
			short, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if e := failure(t, r, short, "x", tool.Call{}); e.Kind != tool.Timeout || time.Since(start) != 2*time.Second {
				t.Errorf("while it waits, after %v: %s, %v", time.Since(start), e.Kind, e)
			}
		})
		calls.Wait()
		if took := time.Since(start); most != 3 || took != 4*time.Minute {
			t.Errorf("10 calls of a minute took %v, %d at once; want 4 minutes, 3 at once", took, most)
		}
	})
}

// TestBusy: calls that do not return keep their places, and while they have more than half of them, no other call begins.
func TestBusy(t *testing.T) {
	tests := []struct{ places, stuck int }{{1, 1}, {2, 2}, {3, 2}, {4, 3}, {64, 33}}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			release := make(chan struct{})
			r := open(t, registry.Options{Control: admission.New(tt.places, 0), Timeout: time.Second}, append(fakes("a/x"), stubborn(release))...)
			for i := range tt.stuck {
				if _, err := r.Call(t.Context(), "x", tool.Call{}); err != nil {
					t.Fatalf("%d of %d places, %d stuck: %v", i, tt.places, i, err)
				}
				start := time.Now()
				if e := failure(t, r, t.Context(), "stubborn", tool.Call{}); e.Kind != tool.Timeout || time.Since(start) >= time.Second+soon {
					t.Fatalf("%d places, %d stuck: %s, %v after %v", tt.places, i, e.Kind, e, time.Since(start))
				}
			}
			time.Sleep(late)
			start := time.Now()
			if e := failure(t, r, t.Context(), "x", tool.Call{}); e.Kind != tool.Failed || !errors.Is(e, tool.ErrBusy) || time.Since(start) != 0 {
				t.Errorf("%d places, %d stuck: %s, %v after %v; want ErrBusy at once", tt.places, tt.stuck, e.Kind, e, time.Since(start))
			}
			close(release)
			synctest.Wait()
			for range 2 * tt.places {
				if result, err := r.Call(t.Context(), "stubborn", tool.Call{}); err != nil || result.Text() != "late" {
					t.Fatalf("%d places, none stuck any more: %v, %v", tt.places, result, err)
				}
			}
		})
	}
}

func TestManyCalls(t *testing.T) {
	r := open(t, registry.Options{Control: admission.New(2, 0), Timeout: time.Minute}, fakes("a/x", "b/x", "b/y")...)
	var calls sync.WaitGroup
	for range 50 {
		calls.Go(func() {
			for _, name := range []string{"a/x", "b_x", "y"} {
				if _, err := r.Call(t.Context(), name, tool.Call{}); err != nil || len(r.Specs()) != 3 {
					t.Error(err)
				}
			}
		})
	}
	calls.Wait()
}

// TestBusyWhileWaiting: a call that waits is refused as soon as too many others are stuck.
func TestBusyWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		r := open(t, registry.Options{Control: admission.New(4, 0)}, append(fakes("a/x"), stubborn(release))...)
		limited, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for range 4 {
			go r.Call(limited, "stubborn", tool.Call{})
		}
		synctest.Wait()
		start := time.Now()
		e := failure(t, r, t.Context(), "x", tool.Call{})
		if took := time.Since(start); !errors.Is(e, tool.ErrBusy) || took >= time.Second+late+soon {
			t.Errorf("after %v: %v, want ErrBusy", took, e)
		}
		close(release)
		synctest.Wait()
		if _, err := r.Call(t.Context(), "x", tool.Call{}); err != nil {
			t.Errorf("none is stuck any more: %v", err)
		}
	})
}

// TestWaitingIsFree: the timeout of a call does not run while the call waits for others.
func TestWaitingIsFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, registry.Options{Control: admission.New(1, 0), Timeout: 90 * time.Second},
			fake{id: "a/x", name: "x", call: func(context.Context, tool.Call) (tool.Result, error) {
				time.Sleep(time.Minute)
				return tool.Result{}, nil
			}},
			fake{id: "a/slow", name: "slow", call: func(ctx context.Context, _ tool.Call) (tool.Result, error) {
				<-ctx.Done()
				return tool.Result{}, ctx.Err()
			}})
		start := time.Now()
		var calls sync.WaitGroup
		for range 5 {
			calls.Go(func() {
				if _, err := r.Call(t.Context(), "x", tool.Call{}); err != nil {
					t.Error(err)
				}
			})
		}
		time.Sleep(time.Second)
		if e := failure(t, r, t.Context(), "slow", tool.Call{}); e.Kind != tool.Timeout || time.Since(start) != 5*time.Minute+90*time.Second {
			t.Errorf("after %v: %s, %v", time.Since(start), e.Kind, e)
		}
		calls.Wait()
	})
}
