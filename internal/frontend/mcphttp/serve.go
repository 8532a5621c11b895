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

// grace is how long what is in flight may take to be answered once the server is to stop. It is more than a call may
// take, unless its limit was raised.
const grace = 12 * time.Second

// Serve serves what l accepts until ctx ends, over TLS where c is not nil. Then it accepts nothing more, ends the streams
// that wait for news, and returns once every other request is answered; the error is nil where all were. It is called
// once.
func (h *Handler) Serve(ctx context.Context, l net.Listener, c *tls.Config) error {
	server := &http.Server{
		Handler:           h,
		TLSConfig:         c,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(h.logger.Handler(), slog.LevelWarn),
	}
	server.RegisterOnShutdown(func() { close(h.closing) }) // the listener is closed by then
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

// standing reports whether a request waits for news rather than for an answer.
func standing(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Header.Get("Mcp-Method") == "subscriptions/listen"
}

// until returns the request with a context that ends when the server is to stop as well, and what to call when the
// request is done.
func (h *Handler) until(r *http.Request) (*http.Request, context.CancelFunc) {
	ctx, cancel := context.WithCancel(r.Context())
	go func() {
		select {
		case <-h.closing:
			cancel()
		case <-ctx.Done():
		}
	}()
	return r.WithContext(ctx), cancel
}
