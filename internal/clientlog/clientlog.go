// Package clientlog limits the log of what clients of a server cause.
package clientlog

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/time/rate"
)

// timeout is the maximum time that a request waits for a message to be logged.
const timeout = 100 * time.Millisecond

// Limit returns a logger for messages that clients cause: it logs 100, and then one per second.
// While the handler of logger blocks, as it does if it writes to a full pipe that nobody reads, a
// request waits for it at most a tenth of a second, and messages are lost. If logger is nil,
// nothing is logged.
func Limit(logger *slog.Logger) *slog.Logger {
	if logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	limit := rate.NewLimiter(rate.Every(time.Second), 100)
	return slog.New(limitedHandler{logger.Handler(), limit, make(chan struct{}, 1)})
}

// A limitedHandler is the handler of a logger that [Limit] returns.
type limitedHandler struct {
	slog.Handler
	limit *rate.Limiter
	busy  chan struct{} // contains a value while the handler runs
}

func (l limitedHandler) Handle(ctx context.Context, r slog.Record) error {
	if !l.limit.Allow() {
		return nil
	}
	tooLate := time.After(timeout)
	select {
	case l.busy <- struct{}{}:
	case <-tooLate:
		return nil
	}
	logged := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil { // It would end the process, and not only the request.
				logged <- fmt.Errorf("the handler of the logger panicked: %v", p)
			}
			<-l.busy
		}()
		logged <- l.Handler.Handle(ctx, r)
	}()
	select {
	case err := <-logged:
		return err
	case <-tooLate:
		return nil
	}
}

func (l limitedHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	l.Handler = l.Handler.WithAttrs(attrs)
	return l
}

func (l limitedHandler) WithGroup(name string) slog.Handler {
	l.Handler = l.Handler.WithGroup(name)
	return l
}
