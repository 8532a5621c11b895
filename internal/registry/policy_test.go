package registry_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"gander/internal/registry"
	"gander/tool"
)

// TestPolicy calls a/x, which needs no approval, and b/x, which does.
func TestPolicy(t *testing.T) {
	no := errors.New("no, thanks")
	approve := func(answer error) func(context.Context, tool.Spec, tool.Call) error {
		return func(context.Context, tool.Spec, tool.Call) error { return answer }
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
		x, y     outcome // of a/x and of b/x
	}{
		{"none", tool.Policy{}, nil, made, nobody},
		{"none, with approval", tool.Policy{}, approve(nil), made, made},
		{"none, without approval", tool.Policy{}, approve(no), made, refused},
		{"allow all", tool.Policy{Allow: []string{"all"}}, nil, made, nobody},
		{"allow one", tool.Policy{Allow: []string{"a/x"}}, approve(nil), made, made},
		{"allow the other", tool.Policy{Allow: []string{"b"}}, approve(nil), barred, made},
		{"deny wins over allow", tool.Policy{Allow: []string{"a", "b"}, Deny: []string{"a/x"}}, approve(nil), barred, made},
		{"deny wins over prompt", tool.Policy{Prompt: []string{"a"}, Deny: []string{"all"}}, approve(nil), barred, barred},
		{"prompt", tool.Policy{Prompt: []string{"a_x"}}, nil, nobody, nobody},
		{"prompt, with approval", tool.Policy{Prompt: []string{"a"}}, approve(nil), made, made},
		{"prompt, without approval", tool.Policy{Prompt: []string{"a"}}, approve(no), refused, refused},
		{"prompt wins over allow", tool.Policy{Prompt: []string{"all"}, Allow: []string{"all"}}, approve(no), refused, refused},
		{"prompt lets in what allow does not", tool.Policy{Prompt: []string{"a"}, Allow: []string{"b"}}, approve(nil), made, made},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			calls := 0
			count := func(context.Context, tool.Call) (tool.Result, error) {
				calls++
				return tool.Result{Parts: tool.Text("done")}, nil
			}
			tt.policy.Approve = tt.approver
			r := open(t, registry.Options{Policy: tt.policy},
				fake{id: "a/x", name: "x", call: count}, fake{id: "b/x", name: "x", call: count, approval: true})
			for id, want := range map[string]outcome{"a/x": tt.x, "b/x": tt.y} {
				calls = 0
				result, err := r.Call(t.Context(), id, tool.Call{})
				if want == made {
					if err != nil || result.Text() != "done" || calls != 1 {
						t.Errorf("%s: got %v, %v in %d calls; want it called", id, result, err, calls)
					}
					continue
				}
				var e *tool.Error
				if !errors.As(err, &e) || e.Kind != tool.Denied || !strings.Contains(e.Message, string(want)) || !strings.Contains(e.Message, id) || calls != 0 {
					t.Errorf("%s: got %v in %d calls, want it refused with %q", id, err, calls, want)
				}
				if !errors.Is(err, tool.ErrPolicy) || !errors.Is(err, fs.ErrPermission) || errors.Is(err, no) != (want == refused) {
					t.Errorf("%s: %v does not match what it should", id, err)
				}
			}
		})
	}
}

func TestPolicyWordsMayNameToolsNotChosen(t *testing.T) {
	r := open(t, registry.Options{Select: []string{"a"}, Policy: tool.Policy{Deny: []string{"b/y"}}}, fakes("a/x", "b/y")...)
	if _, err := r.Call(t.Context(), "x", tool.Call{}); err != nil {
		t.Error(err)
	}
	if e := failure(t, r, t.Context(), "b/y", tool.Call{}); !errors.Is(e, tool.ErrUnknownTool) {
		t.Errorf("a tool that was not chosen: %v", e)
	}
}

func TestApproverIsTold(t *testing.T) {
	var got tool.Spec
	var args string
	r := open(t, registry.Options{
		Policy: tool.Policy{Prompt: []string{"all"}, Approve: func(_ context.Context, s tool.Spec, c tool.Call) error {
			got, args = s, string(c.Args)
			return nil
		}},
	}, fakes("a/x")...)
	if _, err := r.Call(t.Context(), "x", tool.Call{Args: []byte(`{"p":1}`)}); err != nil {
		t.Fatal(err)
	}
	if got.ID != "a/x" || args != `{"p":1}` {
		t.Errorf("the approver was told of %q with %s", got.ID, args)
	}
}
