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
	messages := map[string]string{
		"barred":  "the policy does not allow ",
		"nobody":  "there is nobody to ask",
		"refused": "was not approved: no, thanks",
	}
	for _, tt := range []struct {
		allow, deny, prompt string // selectors
		approver            string
		x, y                string // outcomes of a/x and b/x
	}{
		{"", "", "", "", "made", "nobody"},
		{"", "", "", "approves", "made", "made"},
		{"", "", "", "refuses", "made", "refused"},
		{"all", "", "", "", "made", "nobody"},
		{"a/x", "", "", "approves", "made", "barred"},
		{"b", "", "", "approves", "barred", "made"},
		{"a b", "a/x", "", "approves", "barred", "made"},
		{"", "all", "a", "approves", "barred", "barred"},
		{"", "", "a_x", "", "nobody", "nobody"},
		{"", "", "a", "approves", "made", "made"},
		{"", "", "a", "refuses", "refused", "refused"},
		{"all", "", "all", "refuses", "refused", "refused"},
		{"b", "", "a", "approves", "made", "made"},
	} {
		policy := tool.Policy{
			Allow: strings.Fields(tt.allow), Deny: strings.Fields(tt.deny),
			Prompt: strings.Fields(tt.prompt),
		}
		if tt.approver != "" {
			policy.Approve = func(_ context.Context, s tool.Spec, c tool.Call) error {
				if s.Name != "x" || string(c.Args) != `{"p":1}` {
					t.Errorf("the approver gets %q with %s", s.ID, c.Args)
				}
				if tt.approver == "refuses" {
					return no
				}
				return nil
			}
		}
		calls := 0
		count := func(context.Context, tool.Call) (tool.Result, error) {
			calls++
			return text("done"), nil
		}
		approved := newFake("b/x", count)
		approved.Described.RequiresApproval = true
		r := open(t, toolset.Options{Policy: policy}, newFake("a/x", count), approved)
		for id, want := range map[string]string{"a/x": tt.x, "b/x": tt.y} {
			calls = 0
			result, err := r.Call(t.Context(), id, tool.Call{Args: []byte(`{"p":1}`)})
			if want == "made" {
				if err != nil || result.Text() != "done" || calls != 1 {
					t.Errorf("%v, %s: got %v, %v in %d calls; want it called", tt, id, result, err, calls)
				}
				continue
			}
			e, _ := errors.AsType[*tool.Error](err)
			if e == nil || e.Kind != tool.Denied || calls != 0 ||
				!strings.Contains(e.Message, messages[want]) || !strings.Contains(e.Message, id) {
				t.Errorf("%v, %s: got %v in %d calls, want %q", tt, id, err, calls, want)
			}
			if !errors.Is(err, tool.ErrPolicy) || !errors.Is(err, fs.ErrPermission) ||
				errors.Is(err, no) != (want == "refused") {
				t.Errorf("%v, %s: %v matches the wrong errors", tt, id, err)
			}
		}
	}
}

// TestApproverTime checks that the timeout does not include the time for approval, and that a call
// can be canceled during that time.
func TestApproverTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		approve := func(ctx context.Context, _ tool.Spec, _ tool.Call) error {
			select {
			case <-time.After(time.Hour):
				return nil
			case <-ctx.Done():
				return errors.New("nobody came")
			}
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
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Minute, cancel)
		if e := failure(t, r, ctx, "x", tool.Call{}); e.Kind != tool.Cancelled {
			t.Errorf("%s, %v", e.Kind, e)
		}
	})
}
