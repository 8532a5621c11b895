package mcphttp

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// maxConnections is the most connections that may be open at once. Each may hold the headers of a request in memory.
const maxConnections = 1024

// connections bounds the connections that are open. One more closes the one that has been waiting for a request the longest,
// so that clients which send nothing keep nobody out.
type connections struct {
	most int

	mu      sync.Mutex
	waiting map[net.Conn]time.Time // since when; without a request, or with an incomplete header
	serving map[net.Conn]bool
}

// newConnections returns bounds that leave half of the file handles which the process may have for files.
func newConnections() *connections {
	return &connections{most: min(maxConnections, max(maxHandles()/2, 16)), waiting: make(map[net.Conn]time.Time), serving: make(map[net.Conn]bool)}
}

// changed is for [http.Server].ConnState.
func (c *connections) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew, http.StateIdle:
		delete(c.serving, conn)
		c.waiting[conn] = time.Now()
	case http.StateActive:
		delete(c.waiting, conn)
		c.serving[conn] = true
	default:
		delete(c.waiting, conn)
		delete(c.serving, conn)
	}
	if state != http.StateNew || len(c.waiting)+len(c.serving) <= c.most {
		return
	}
	oldest := conn
	for other, since := range c.waiting {
		if since.Before(c.waiting[oldest]) {
			oldest = other
		}
	}
	delete(c.waiting, oldest)
	go oldest.Close() // TLS may wait for the client.
}
