package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"gander/tool"
)

func TestExitCode(t *testing.T) {
	kind := func(k tool.Kind) error { return &tool.Error{Kind: k, Message: "m"} }
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("unknown flag"), 2},
		{fs.ErrNotExist, 2}, // a missing root or configuration
		{kind(tool.BadArguments), 2},
		{kind(tool.NotFound), 3},
		{kind(tool.NotDirectory), 4},
		{kind(tool.Outside), 5},
		{kind(tool.Denied), 6},
		{kind(tool.Timeout), 8},
		{context.DeadlineExceeded, 8},
		{kind(tool.Cancelled), 130},
		{context.Canceled, 130},
		{kind(tool.Failed), 1},
		{kind(tool.Internal), 1},
		{kind("of another program"), 1},
		{failure{errors.New("m")}, 1},
		// The command call exits with 1 for any tool error.
		{failure{kind(tool.NotFound)}, 1},
		{fmt.Errorf("x: %w", failure{kind(tool.Timeout)}), 1},
		{fmt.Errorf("x: %w", kind(tool.Denied)), 6},
	} {
		if got := exitCode(c.err); got != c.want {
			t.Errorf("%#v exits with %d, not %d", c.err, got, c.want)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{{"why", "."}, {"call", "tree", `{"path":"."}`}} {
		var stdout, stderr strings.Builder
		code := Run(ctx, args, strings.NewReader(""), &stdout, &stderr)
		if code != 130 || stdout.Len() > 0 || stderr.Len() > 0 {
			t.Errorf("%q: code %d, printed %q and %q", args, code, stdout.String(), stderr.String())
		}
	}
}
