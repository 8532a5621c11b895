package mcphttp

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// grace is the time in which requests under way are answered when the server stops. It is longer than the default time
// limit of a call.
const grace = 12 * time.Second

// Serve serves requests on l until ctx ends, over TLS if c is not nil. It then accepts no more requests, ends the streams of
// notifications and returns once every other request is answered. The error is nil if all were. Serve may be called once.
func (h *Handler) Serve(ctx context.Context, l net.Listener, c *tls.Config) error {
	server := &http.Server{
		Handler:           h,
		TLSConfig:         c,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ConnState:         newConnections().changed,
		ErrorLog:          slog.NewLogLogger(h.logger.Handler(), slog.LevelWarn),
	}
	server.RegisterOnShutdown(func() { close(h.closing) }) // runs after the listener is closed
	ended := make(chan error, 1)
	go func() {
		if c != nil {
			ended <- server.ServeTLS(l, "", "")
		} else {
			ended <- server.Serve(l)
		}
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	err := server.Shutdown(last)
	if err != nil {
		err = errors.Join(errors.New("not everything was answered in time"), server.Close())
	}
	h.sessions.close(last)
	return err
}

// untilClosing returns a context that also ends when the streams of notifications must end.
func (h *Handler) untilClosing(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-h.closing:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}
