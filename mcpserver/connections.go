package mcpserver

import (
	"io"
	"net"
	"net/netip"
	"sync"
	"time"
)

const (
	// maxConnections is the maximum number of open connections. Each can hold the header of a
	// request in memory. Half of the usual 1,024 file handles remain for files.
	maxConnections = 512
	// writeTimeout is the maximum time for one Write.
	writeTimeout = 30 * time.Second

	// maxInFlight is the maximum cost of the requests in flight, in bytes of memory.
	maxInFlight = 32 << 20
	// maxShare is the maximum cost for one client. The same amount is reserved for clients without
	// a request in flight.
	maxShare = maxInFlight / 4
	// A call and its response cost callCost, and a byte of a body, which the SDK copies, byteCost.
	callCost = 64 << 10
	byteCost = 4
)

// connections is a listener that limits the number of open connections. If there are too many, it
// closes one from the address with the most. If the new connection is from that address, it gets
// status 503.
type connections struct {
	net.Listener
	limit int

	mu   sync.Mutex
	open map[*connection]bool
}

// A connection is an open connection.
type connection struct {
	net.Conn
	address string
	of      *connections
}

func (c *connections) Accept() (net.Conn, error) {
	for {
		accepted, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		conn := &connection{accepted, clientAddress(accepted.RemoteAddr().String()), c}
		excess := c.add(conn)
		if excess == conn {
			go rejectConnection(accepted)
			continue
		}
		if excess != nil {
			go excess.Conn.Close() // TLS can wait for the client.
		}
		return conn, nil
	}
}

// rejectConnection responds with status 503 and closes a connection.
func rejectConnection(conn net.Conn) {
	defer conn.Close()
	if conn.SetDeadline(time.Now().Add(time.Second)) == nil {
		_, _ = io.WriteString(conn, "HTTP/1.1 503 Service Unavailable\r\n"+
			"Connection: close\r\nContent-Length: 0\r\n\r\n")
	}
}

// add adds a connection. It returns the connection to close, if any, which it removes.
func (c *connections) add(conn *connection) (excess *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[conn] = true
	if len(c.open) <= c.limit {
		return nil
	}
	count := make(map[string]int)
	for open := range c.open {
		count[open.address]++
	}
	excess = conn
	for open := range c.open {
		if count[open.address] > count[excess.address] {
			excess = open
		}
	}
	delete(c.open, excess)
	return excess
}

// Each Write has a deadline, which ends a connection whose client does not read, and does not limit
// the time for a whole response.
func (c *connection) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

func (c *connection) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// clientAddress returns the IP address of a client. For an IPv6 address it returns the network,
// because a client usually controls all addresses of one.
func clientAddress(remote string) string {
	host, err := netip.ParseAddrPort(remote)
	if err != nil {
		return remote
	}
	address := host.Addr().Unmap()
	if network, err := address.Prefix(64); address.Is6() && err == nil {
		return network.String()
	}
	return address.String()
}

// A quota limits the cost of the requests in flight.
type quota struct {
	mu      sync.Mutex
	used    int
	clients map[string]int
}

// take adds a cost of a client, or releases a negative one. It reports false if a cost exceeds the
// quota.
func (q *quota) take(client string, cost int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	limit := maxInFlight
	if q.clients[client] > 0 {
		limit -= maxShare
	}
	if cost > 0 && (q.used+cost > limit || q.clients[client]+cost > maxShare) {
		return false
	}
	q.used += cost
	if q.clients[client] += cost; q.clients[client] == 0 {
		delete(q.clients, client)
	}
	return true
}
