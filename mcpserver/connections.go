package mcpserver

import (
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// maxConnections is the maximum number of open connections. Each can hold the header of a
	// request in memory.
	maxConnections = 1024
	// maxRefused is the number of refused connections that get a response concurrently.
	maxRefused = 64
	// refuseTimeout is the time to respond to a refused connection.
	refuseTimeout = time.Second
)

// connections is a listener that limits the number of open connections. If there are more, it takes
// one from the address that has most: the new one if it is from there, otherwise the one that has
// waited longest for a request.
type connections struct {
	net.Listener
	limit   int
	refused chan struct{} // holds a value for each refused connection

	mu   sync.Mutex
	open map[*connection]time.Time // when they began to wait for a request; zero during a request
}

// A connection is an open connection.
type connection struct {
	net.Conn
	address string
	of      *connections
}

// newConnections returns a listener on l that leaves half of the process's file handles for files.
func newConnections(l net.Listener) *connections {
	return &connections{
		Listener: l,
		limit:    min(maxConnections, max(maxHandles()/2, 16)),
		refused:  make(chan struct{}, maxRefused),
		open:     make(map[*connection]time.Time),
	}
}

// Accept implements [net.Listener].
func (c *connections) Accept() (net.Conn, error) {
	for {
		accepted, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		conn := &connection{accepted, clientAddress(accepted.RemoteAddr().String()), c}
		excess := c.add(conn)
		if excess == conn {
			c.refuse(accepted)
			continue
		}
		if excess != nil {
			go excess.Close() // TLS can wait for the client.
		}
		return conn, nil
	}
}

// add adds a connection. It returns the connection to close, if any, which it removes.
func (c *connections) add(conn *connection) (excess *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[conn] = time.Now()
	if len(c.open) <= c.limit {
		return nil
	}
	count := make(map[string]int)
	for open := range c.open {
		count[open.address]++
	}
	excess = conn
	for open, since := range c.open {
		more := count[open.address] - count[excess.address]
		if more > 0 || more == 0 && excess != conn && waitsLonger(since, c.open[excess]) {
			excess = open
		}
	}
	delete(c.open, excess)
	return excess
}

// waitsLonger reports whether a connection that has waited since a waits longer than one that has
// waited since b.
func waitsLonger(a, b time.Time) bool { return !a.IsZero() && (b.IsZero() || a.Before(b)) }

// changed is for [http.Server].ConnState.
func (c *connections) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	open := conn.(*connection)
	if _, found := c.open[open]; !found {
		return
	}
	switch state {
	case http.StateActive:
		c.open[open] = time.Time{}
	case http.StateIdle:
		c.open[open] = time.Now()
	}
}

// refuse responds to a connection that is not served, before its request is read.
func (c *connections) refuse(conn net.Conn) {
	select {
	case c.refused <- struct{}{}:
	default:
		conn.Close()
		return
	}
	go func() {
		defer func() { <-c.refused }()
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(refuseTimeout))
		_, _ = io.WriteString(conn, "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\n"+
			"Content-Length: 21\r\nRetry-After: 1\r\nConnection: close\r\n\r\ntoo many connections\n")
		if tcp, ok := conn.(*net.TCPConn); ok {
			// A connection that is closed with unread data is reset, and the response is lost.
			_ = tcp.CloseWrite()
			_, _ = io.CopyN(io.Discard, conn, 64<<10)
		}
	}()
}

// Close implements [net.Conn].
func (c *connection) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}
