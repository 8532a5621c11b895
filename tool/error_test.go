package tool_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"gander/tool"
)

// TestErrorIs checks that each kind matches its own sentinel and no other, and the cause.
func TestErrorIs(t *testing.T) {
	sentinels := map[tool.Kind]error{
		tool.Outside: tool.ErrOutside, tool.NotFound: fs.ErrNotExist, tool.Denied: fs.ErrPermission,
		tool.Timeout: context.DeadlineExceeded, tool.Cancelled: context.Canceled,
		tool.Failed: syscall.EIO, "policy": tool.ErrPolicy, "unknown": tool.ErrUnknownTool,
	}
	for _, kind := range []tool.Kind{
		tool.BadArguments, tool.Outside, tool.Denied, tool.NotFound, tool.NotDirectory,
		tool.Failed, tool.Cancelled, tool.Timeout, tool.Internal, "", "of_a_tool",
	} {
		failure := &tool.Error{Kind: kind, Message: "words"}
		if kind == tool.Failed {
			failure.Err = fmt.Errorf("cause: %w", syscall.EIO)
		}
		for of, sentinel := range sentinels {
			if errors.Is(fmt.Errorf("wrapped: %w", failure), sentinel) != (of == kind) {
				t.Errorf("an error of kind %q matches %v: %v", kind, sentinel, of != kind)
			}
		}
		if failure.Error() != "words" {
			t.Error(failure)
		}
	}
}
