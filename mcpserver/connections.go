package mcpserver

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"gander/internal/admission"
)

// maxConnections is the maximum number of open connections. Each can hold a header in memory.
const maxConnections = 512

// fewConnections is how many an address can have of those that are kept.
const fewConnections = 8

// A limitListener is a listener that limits the number of open connections. If there are too many,
// it closes one that waits for its client, because it is idle or because a request has not arrived:
// the oldest one from the address with the most connections. Without one, it refuses the new one
// with status 503. A quarter is kept for addresses with few.
//
// It does not wrap a connection, because package http serves HTTP/2 only on a [tls.Conn].
type limitListener struct {
	net.Listener
	pool *admission.Pool

	mu   sync.Mutex // guards open
	open map[net.Conn]*openConn
}

type openConn struct {
	conn net.Conn
	hold *admission.Hold

	mu       sync.Mutex // guards requests
	requests int        // complete requests in progress
}

func newLimitListener(l net.Listener, limit int) *limitListener {
	kept := int64(limit / 4)
	return &limitListener{
		Listener: l, open: make(map[net.Conn]*openConn),
		pool: admission.NewPool(int64(limit)-kept, kept, fewConnections),
	}
}

func (l *limitListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil || l.add(conn) {
			return conn, err
		}
		go rejectConnection(conn)
	}
}

// rejectConnection closes a new connection, after status 503 unless that needs a TLS handshake.
func rejectConnection(conn net.Conn) {
	defer closeConnection(conn)
	if _, ok := conn.(*tls.Conn); ok {
		return
	}
	if conn.SetDeadline(time.Now().Add(time.Second)) == nil {
		_, _ = io.WriteString(conn, "HTTP/1.1 503 Service Unavailable\r\n"+
			"Connection: close\r\nContent-Length: 0\r\n\r\n")
	}
}

// closeConnection closes a connection without waiting for its client, as TLS would.
func closeConnection(conn net.Conn) {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	_ = conn.Close() // It may be closed already.
}

func (l *limitListener) add(conn net.Conn) bool {
	remote := conn.RemoteAddr().String()
	from := admission.Caller{Client: remote, Connection: remote}
	if address := addressOf(remote); address.IsValid() {
		from.Client = networkOf(address)
	}
	added := &openConn{conn: conn, hold: l.pool.Open(from)}
	if !added.hold.Try(1) {
		added.hold.End()
		return false
	}
	l.mu.Lock()
	l.open[conn] = added
	l.mu.Unlock()
	added.addRequests(0)
	return true
}

// connState removes a connection that has been closed. Package http calls it on any goroutine.
func (l *limitListener) connState(conn net.Conn, state http.ConnState) {
	if state != http.StateClosed {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if closed := l.open[conn]; closed != nil {
		closed.hold.End()
	}
	delete(l.open, conn)
}

type connectionKey struct{}

func (l *limitListener) connContext(ctx context.Context, conn net.Conn) context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	return context.WithValue(ctx, connectionKey{}, l.open[conn])
}

// addRequests adds n complete requests in progress, which can be negative. The connection is nil if
// it has been closed, or was not accepted by a limitListener.
func (c *openConn) addRequests(n int) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests += n
	drop := func() { closeConnection(c.conn) }
	if c.requests > 0 {
		drop = nil
	}
	c.hold.SetDrop(drop)
}

// A timedWriter ends a connection, or a stream of HTTP/2, whose client does not read. It has to
// read each part within writeTimeout, and no later than that behind one that reads one each partTime.
type timedWriter struct {
	http.ResponseWriter
	latest time.Time // for the next part; zero before the first
}

func (w *timedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *timedWriter) Write(b []byte) (written int, err error) {
	defer http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Time{})
	for part := range slices.Chunk(b, maxPart) {
		w.setDeadline()
		n, err := w.ResponseWriter.Write(part)
		written += n
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// setDeadline limits the time of writing the next part. If it fails, the connection is closed.
func (w *timedWriter) setDeadline() {
	deadline := time.Now().Add(writeTimeout)
	if w.latest.IsZero() {
		w.latest = deadline
	}
	if w.latest.Before(deadline) {
		deadline = w.latest
	}
	w.latest = w.latest.Add(partTime)
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(deadline)
}
