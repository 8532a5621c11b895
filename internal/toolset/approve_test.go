package toolset

import (
	"context"
	"errors"
	"testing"

	"gander/internal/testkit/fixture"
	"gander/tool"
)

// TestApproverEnd checks that a call whose context ends during the approval goes no further,
// whatever the approver returns.
func TestApproverEnd(t *testing.T) {
	for _, answer := range []error{nil, errors.New("nobody came")} {
		ctx, cancel := context.WithCancel(t.Context())
		enforced, err := newPolicy(nil, tool.Policy{
			Approve: func(context.Context, tool.Spec, tool.Call) error {
				cancel()
				return answer
			},
		})
		fixture.Must(t, err)
		called := false
		next := func(context.Context, tool.Call) (tool.Result, error) {
			called = true
			return tool.Result{}, nil
		}
		_, err = enforced.wrap(tool.Spec{RequiresApproval: true}, next)(ctx, tool.Call{})
		if e, ok := errors.AsType[*tool.Error](err); !ok || e.Kind != tool.Cancelled || called {
			t.Errorf("the approver returns %v: %v, called: %v", answer, err, called)
		}
	}
}
