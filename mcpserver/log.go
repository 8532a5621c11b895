package mcpserver

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/time/rate"
)

// limitLog returns a logger that logs 100 messages, and then one per second, because clients cause
// them. If logger is nil, it returns nil.
func limitLog(logger *slog.Logger) *slog.Logger {
	if logger == nil {
		return nil
	}
	limit := &rate.Sometimes{First: 100, Interval: time.Second}
	return slog.New(limitedLog{logger.Handler(), limit})
}

type limitedLog struct {
	slog.Handler
	limit *rate.Sometimes
}

func (l limitedLog) Handle(ctx context.Context, r slog.Record) (err error) {
	l.limit.Do(func() { err = l.Handler.Handle(ctx, r) })
	return err
}

func (l limitedLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return limitedLog{l.Handler.WithAttrs(attrs), l.limit}
}

func (l limitedLog) WithGroup(name string) slog.Handler {
	return limitedLog{l.Handler.WithGroup(name), l.limit}
}
