package mcpserver

import "sync"

const (
	// maxInFlight is the maximum cost of the requests in flight, in bytes of memory.
	maxInFlight = 32 << 20
	// maxShare is the maximum cost for one client. The same amount is reserved for clients without
	// a request in flight.
	maxShare = maxInFlight / 4

	// callCost is the cost of a call and its response.
	callCost = 64 << 10
	// byteCost is the cost of a byte of a body, which the SDK copies.
	byteCost = 4
)

// A quota limits the cost of the requests in flight.
type quota struct {
	mu      sync.Mutex
	used    int
	clients map[string]int
}

// take adds a cost of a client. It reports false if the cost exceeds the quota.
func (q *quota) take(client string, cost int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	limit := maxInFlight
	if q.clients[client] > 0 {
		limit -= maxShare
	}
	if q.used+cost > limit || q.clients[client]+cost > maxShare {
		return false
	}
	q.used += cost
	q.clients[client] += cost
	return true
}

// release subtracts a cost that take has added.
func (q *quota) release(client string, cost int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.used -= cost
	if q.clients[client] -= cost; q.clients[client] == 0 {
		delete(q.clients, client)
	}
}
