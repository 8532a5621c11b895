package mcpserver

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/time/rate"
)

// limitLog returns a logger that logs the first hundred messages and then one a second, because
// clients cause them. If l is nil, it logs nothing.
func limitLog(l *slog.Logger) *slog.Logger {
	if l == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(limitedHandler{l.Handler(), &rate.Sometimes{First: 100, Interval: time.Second}})
}

type limitedHandler struct {
	slog.Handler
	limit *rate.Sometimes
}

// Handle implements [slog.Handler].
func (h limitedHandler) Handle(ctx context.Context, r slog.Record) (err error) {
	h.limit.Do(func() { err = h.Handler.Handle(ctx, r) })
	return err
}

// WithAttrs implements [slog.Handler].
func (h limitedHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return limitedHandler{h.Handler.WithAttrs(attrs), h.limit}
}

// WithGroup implements [slog.Handler].
func (h limitedHandler) WithGroup(name string) slog.Handler {
	return limitedHandler{h.Handler.WithGroup(name), h.limit}
}
