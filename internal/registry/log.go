package registry

import (
	"context"
	"log/slog"
	"time"

	"gander/tool"
)

// log writes the record of a finished call.
func (r *Registry) log(
	ctx context.Context, name string, d time.Duration, truncated bool, err error,
) {
	if r.options.Logger == nil {
		return
	}
	level, outcome, message := slog.LevelInfo, "ok", []slog.Attr(nil)
	if failure, ok := err.(*tool.Error); ok {
		level, outcome = levelOf(failure.Kind), string(failure.Kind)
		message = []slog.Attr{slog.String("error", failure.Message)}
	}
	r.options.Logger.LogAttrs(ctx, level, "tool call", append([]slog.Attr{
		slog.String("tool", name),
		slog.String("outcome", outcome),
		slog.Duration("duration", d),
		slog.Bool("truncated", truncated),
	}, message...)...)
}

// levelOf returns Info for errors of the caller, Error for bugs of a tool, and Warn for other
// errors of interest to an operator.
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
