package registry

import (
	"context"
	"log/slog"
	"time"

	"gander/tool"
)

// log logs a call that has ended. Failure is nil if it succeeded.
func (r *Registry) log(ctx context.Context, name string, d time.Duration, result tool.Result,
	failure *tool.Error,
) {
	if r.options.Logger == nil {
		return
	}
	level, outcome := slog.LevelInfo, "ok"
	if failure != nil {
		level, outcome = levelOf(failure.Kind), string(failure.Kind)
	}
	attributes := []slog.Attr{
		slog.String("tool", name),
		slog.String("outcome", outcome),
		slog.Duration("duration", d),
		slog.Bool("truncated", result.Truncated),
	}
	if failure != nil {
		attributes = append(attributes, slog.String("error", failure.Message))
	}
	r.options.Logger.LogAttrs(ctx, level, "tool call", attributes...)
}

// levelOf returns Info for mistakes of the caller, Warn for what an operator should know, and Error
// for a fault of a tool.
func levelOf(k tool.Kind) slog.Level {
	switch k {
	case tool.Internal:
		return slog.LevelError
	case tool.Outside, tool.Denied, tool.Failed, tool.Timeout:
		return slog.LevelWarn
	default:
		return slog.LevelInfo
	}
}
