package mcpserver

import (
	"net/netip"
	"sync"
)

const (
	// maxInFlight is the maximum cost of the requests in flight, in bytes of memory.
	maxInFlight = 32 << 20
	// maxShare is the part of maxInFlight that one client can use.
	maxShare = maxInFlight / 4
)

// A quota limits the cost of the requests in flight. The last quarter is left to clients that have
// none in flight.
type quota struct {
	mu      sync.Mutex
	used    int
	clients map[string]int
}

// take adds a cost of a client. It reports false if there is no room.
func (q *quota) take(client string, cost int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	limit := maxInFlight
	if q.clients[client] > 0 {
		limit -= maxInFlight / 4
	}
	if q.used+cost > limit || q.clients[client]+cost > maxShare {
		return false
	}
	q.used += cost
	q.clients[client] += cost
	return true
}

// give ends what take began.
func (q *quota) give(client string, cost int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.used -= cost
	if q.clients[client] -= cost; q.clients[client] == 0 {
		delete(q.clients, client)
	}
}

// clientAddress returns the address of a client without the port. Addresses of IPv6 are those of
// networks, because a client usually has a whole one.
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
