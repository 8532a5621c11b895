package toolset_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gander/internal/toolset"
	"gander/tool"
)

// TestPolicy calls a/x, which needs no approval, and b/x, which does.
func TestPolicy(t *testing.T) {
	no := errors.New("no, thanks")
	approve := func(decision error) func(context.Context, tool.Spec, tool.Call) error {
		return func(_ context.Context, s tool.Spec, c tool.Call) error {
			if s.Name != "x" || string(c.Args) != `{"p":1}` {
				t.Errorf("the approver gets %q with %s", s.ID, c.Args)
			}
			return decision
		}
	}
	type outcome string
	const (
		made    outcome = ""
		barred  outcome = "the policy does not allow "
		nobody  outcome = "nobody is there to ask"
		refused outcome = "was not approved: no, thanks"
	)
	tests := []struct {
		name     string
		policy   tool.Policy
		approver func(context.Context, tool.Spec, tool.Call) error
		x, y     outcome // of a/x and b/x
	}{
		{"none", tool.Policy{}, nil, made, nobody},
		{"none, with approval", tool.Policy{}, approve(nil), made, made},
		{"none, without approval", tool.Policy{}, approve(no), made, refused},
		{"allow all", tool.Policy{Allow: []string{"all"}}, nil, made, nobody},
		{"allow one", tool.Policy{Allow: []string{"a/x"}}, approve(nil), made, made},
		{"allow the other", tool.Policy{Allow: []string{"b"}}, approve(nil), barred, made},
		{
			"deny precedes allow",
			tool.Policy{Allow: []string{"a", "b"}, Deny: []string{"a/x"}},
			approve(nil), barred, made,
		},
		{
			"deny precedes prompt",
			tool.Policy{Prompt: []string{"a"}, Deny: []string{"all"}},
			approve(nil), barred, barred,
		},
		{"prompt", tool.Policy{Prompt: []string{"a_x"}}, nil, nobody, nobody},
		{"prompt, with approval", tool.Policy{Prompt: []string{"a"}}, approve(nil), made, made},
		{"prompt, without approval", tool.Policy{Prompt: []string{"a"}}, approve(no), refused, refused},
		{
			"prompt precedes allow",
			tool.Policy{Prompt: []string{"all"}, Allow: []string{"all"}},
			approve(no), refused, refused,
		},
		{
			"prompt without allow",
			tool.Policy{Prompt: []string{"a"}, Allow: []string{"b"}},
			approve(nil), made, made,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			calls := 0
			count := func(context.Context, tool.Call) (tool.Result, error) {
				calls++
				return text("done"), nil
			}
			approved := newFake("b/x", count)
			approved.spec.RequiresApproval = true
			tt.policy.Approve = tt.approver
			r := open(t, toolset.Options{Policy: tt.policy},
				newFake("a/x", count), approved)
			for id, want := range map[string]outcome{"a/x": tt.x, "b/x": tt.y} {
				calls = 0
				result, err := r.Call(t.Context(), id, tool.Call{Args: []byte(`{"p":1}`)})
				if want == made {
					if err != nil || result.Text() != "done" || calls != 1 {
						t.Errorf("%s: got %v, %v in %d calls; want it called", id, result, err, calls)
					}
					continue
				}
				var e *tool.Error
				if !errors.As(err, &e) || e.Kind != tool.Denied || calls != 0 ||
					!strings.Contains(e.Message, string(want)) || !strings.Contains(e.Message, id) {
					t.Errorf("%s: got %v in %d calls, want %q", id, err, calls, want)
				}
				if !errors.Is(err, tool.ErrPolicy) || !errors.Is(err, fs.ErrPermission) ||
					errors.Is(err, no) != (want == refused) {
					t.Errorf("%s: %v matches the wrong errors", id, err)
				}
			}
		})
	}
}

// TestPolicyOfUnavailable checks that a policy can contain the selector of an unavailable tool.
func TestPolicyOfUnavailable(t *testing.T) {
	r := open(t, toolset.Options{
		Select: []string{"a"}, Policy: tool.Policy{Deny: []string{"b/y"}},
	}, fakes("a/x", "b/y")...)
	if _, err := r.Call(t.Context(), "x", tool.Call{}); err != nil {
		t.Error(err)
	}
	if e := failure(t, r, t.Context(), "b/y", tool.Call{}); !errors.Is(e, tool.ErrUnknownTool) {
		t.Errorf("a tool that is not available: %v", e)
	}
}

// TestApproverTime checks that the timeout does not include the time for approval.
func TestApproverTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		approve := func(context.Context, tool.Spec, tool.Call) error {
			time.Sleep(time.Hour)
			return nil
		}
		r := open(t, toolset.Options{
			Timeout: time.Second,
			Policy:  tool.Policy{Prompt: []string{"all"}, Approve: approve},
		}, newFake("a/x", func(ctx context.Context, _ tool.Call) (tool.Result, error) {
			if deadline, ok := ctx.Deadline(); !ok || time.Until(deadline) != time.Second {
				t.Errorf("the deadline is in %v, %v; want a second", time.Until(deadline), ok)
			}
			return tool.Result{}, nil
		}))
		if _, err := r.Call(t.Context(), "x", tool.Call{}); err != nil {
			t.Error(err)
		}
	})
}

// TestApproverEnds checks that a call can be canceled while it waits for approval.
func TestApproverEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	approve := func(ctx context.Context, _ tool.Spec, _ tool.Call) error {
		cancel()
		<-ctx.Done()
		return errors.New("nobody came")
	}
	policy := tool.Policy{Prompt: []string{"all"}, Approve: approve}
	r := open(t, toolset.Options{Policy: policy}, fakes("a/x")...)
	if e := failure(t, r, ctx, "x", tool.Call{}); e.Kind != tool.Cancelled {
		t.Errorf("%s, %v", e.Kind, e)
	}
}
