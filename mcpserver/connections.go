package mcpserver

import (
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

// connections is a listener that limits the number of open connections. If there are too many, it
// closes one that waits for its client, because it is idle or because a request has not arrived:
// the oldest one from the address with the most connections. If none waits, it closes one from
// that address, or refuses the new one with status 503 if it is from there.
//
// It does not wrap a connection, because package http serves HTTP/2 only on a [tls.Conn].
type connections struct {
	net.Listener
	limit int

	mu    sync.Mutex
	open  map[net.Conn]*connection
	clock int // counts the uses of connections, and so orders them
}

// A connection is an open connection.
type connection struct {
	net.Conn
	of       *connections
	address  string
	requests int // complete requests in progress
	lastUse  int // the clock at the last change of requests, or when the connection was added
}

// listenWithin returns a listener for at most limit connections.
func listenWithin(l net.Listener, limit int) *connections {
	return &connections{Listener: l, limit: limit, open: make(map[net.Conn]*connection)}
}

func (c *connections) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		excess := c.add(conn)
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
	if over, ok := conn.(*tls.Conn); ok {
		conn = over.NetConn()
	}
	_ = conn.Close() // It may be closed already.
}

// add adds a connection. If there are too many, it removes one, and returns it to be closed.
func (c *connections) add(conn net.Conn) (excess net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	added := &connection{Conn: conn, of: c, address: addressOf(conn)}
	c.open[conn] = added
	if len(c.open) > c.limit {
		excess = c.leastUseful(added).Conn
		delete(c.open, excess)
	}
	c.clock++
	added.lastUse = c.clock
	return excess
}

// leastUseful returns the connection to close after one was added. That one has no last use yet, so
// that it counts as the oldest.
func (c *connections) leastUseful(added *connection) *connection {
	from := make(map[string]int)
	var all, waiting []*connection
	for _, open := range c.open {
		from[open.address]++
		all = append(all, open)
		if open != added && open.requests == 0 {
			waiting = append(waiting, open)
		}
	}
	if len(waiting) > 0 {
		all = waiting
	}
	return slices.MinFunc(all, func(a, b *connection) int {
		if more := from[b.address] - from[a.address]; more != 0 {
			return more
		}
		return a.lastUse - b.lastUse
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

// change removes a connection that has been closed. Package http calls it on any goroutine.
func (c *connections) change(conn net.Conn, state http.ConnState) {
	if state != http.StateClosed {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, conn)
}

// A connectionKey is the context key for the [*connection] of a request.
type connectionKey struct{}

// contextOf returns a context for the requests of a connection.
func (c *connections) contextOf(ctx context.Context, conn net.Conn) context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	return context.WithValue(ctx, connectionKey{}, c.open[conn])
}

// add adds to the number of complete requests in progress. A nil connection is closed, or not of
// [connections].
func (c *connection) add(requests int) {
	if c == nil {
		return
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.of.clock++
	c.requests += requests
	c.lastUse = c.of.clock
}

// A timedWriter limits the time of each write. This ends a connection, or a stream of HTTP/2, whose
// client does not read, and does not limit the time for a whole response.
type timedWriter struct{ http.ResponseWriter }

func (w timedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w timedWriter) Write(b []byte) (int, error) {
	w.limit()
	defer w.unlimit()
	return w.ResponseWriter.Write(b)
}

// FlushError writes what is buffered.
func (w timedWriter) FlushError() error {
	w.limit()
	defer w.unlimit()
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// limit limits the time of writes from now on. If that fails, the connection has been closed.
func (w timedWriter) limit() {
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(writeTimeout))
}

func (w timedWriter) unlimit() {
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Time{})
}
