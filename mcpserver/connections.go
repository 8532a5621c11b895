package mcpserver

import (
	"cmp"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// maxConnections is the maximum number of open connections. Each can hold the header of a request
// in memory.
const maxConnections = 512

// A limitListener is a listener that limits the number of open connections. If there are too many, it
// closes one that waits for its client, because it is idle or because a request has not arrived:
// the oldest one from the address with the most connections. If none waits, it closes one from
// that address, or refuses the new one with status 503 if it is from there.
//
// It does not wrap a connection, because package http serves HTTP/2 only on a [tls.Conn].
type limitListener struct {
	net.Listener
	limit int

	mu    sync.Mutex // guards the fields below, and the connections in them
	open  map[net.Conn]*openConn
	clock int // counts the uses of connections, and so orders them
}

// An openConn is an open connection.
type openConn struct {
	conn     net.Conn
	listener *limitListener
	address  string
	requests int // complete requests in progress
	lastUse  int // the clock at the last change of requests, or when the connection was added
}

func newLimitListener(l net.Listener, limit int) *limitListener {
	return &limitListener{Listener: l, limit: limit, open: make(map[net.Conn]*openConn)}
}

func (l *limitListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		excess := l.add(conn)
		if excess == conn {
			go rejectConnection(conn)
			continue
		}
		if excess != nil {
			closeConnection(excess)
		}
		return conn, nil
	}
}

// rejectConnection closes a new connection, and responds with status 503 before, unless the
// response would need a TLS handshake.
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

// add adds a connection. If there are too many, it removes one, and returns it to be closed.
func (l *limitListener) add(conn net.Conn) (excess net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	added := &openConn{conn: conn, listener: l, address: addressOf(conn)}
	l.open[conn] = added
	if len(l.open) > l.limit {
		excess = l.leastUseful(added).conn
		delete(l.open, excess)
	}
	l.clock++
	added.lastUse = l.clock
	return excess
}

// leastUseful returns the connection to close after one was added. That one has no last use yet, so
// that it counts as the oldest.
func (l *limitListener) leastUseful(added *openConn) *openConn {
	perAddress := make(map[string]int)
	var all, waiting []*openConn
	for _, c := range l.open {
		perAddress[c.address]++
		all = append(all, c)
		if c != added && c.requests == 0 {
			waiting = append(waiting, c)
		}
	}
	candidates := waiting
	if len(waiting) == 0 {
		candidates = all
	}
	return slices.MinFunc(candidates, func(a, b *openConn) int {
		return cmp.Or(perAddress[b.address]-perAddress[a.address], a.lastUse-b.lastUse)
	})
}

// addressOf returns the IP address of the other end of a connection, or its network.
func addressOf(conn net.Conn) string {
	remote := conn.RemoteAddr().String()
	peer, err := netip.ParseAddrPort(remote)
	if err != nil {
		return remote
	}
	return networkOf(peer.Addr().Unmap())
}

// connState removes a connection that has been closed. Package http calls it on any goroutine.
func (l *limitListener) connState(conn net.Conn, state http.ConnState) {
	if state != http.StateClosed {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, conn)
}

// A connectionKey is the context key for the [*openConn] of a request.
type connectionKey struct{}

// connContext returns a context for the requests of a connection.
func (l *limitListener) connContext(ctx context.Context, conn net.Conn) context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	return context.WithValue(ctx, connectionKey{}, l.open[conn])
}

// beginRequest counts a complete request as in progress, until endRequest. The connection is nil if it
// has been closed, or was not accepted by a limitListener.
func (c *openConn) beginRequest() { c.addRequests(1) }

func (c *openConn) endRequest() { c.addRequests(-1) }

func (c *openConn) addRequests(n int) {
	if c == nil {
		return
	}
	l := c.listener
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clock++
	c.requests += n
	c.lastUse = l.clock
}

// A timedWriter limits the time to write each part of a response. This ends a connection, or a stream
// of HTTP/2, whose client does not read, and does not limit the time for a whole response.
type timedWriter struct{ http.ResponseWriter }

func (w timedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w timedWriter) Write(b []byte) (written int, err error) {
	defer w.clearDeadline()
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

// setDeadline limits the time of writes from now on. If that fails, the connection has been closed.
func (w timedWriter) setDeadline() {
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(writeTimeout))
}

func (w timedWriter) clearDeadline() {
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Time{})
}
