package mcpserver

import (
	"errors"
	"io"
	"slices"
	"sync"
)

const (
	// maxInFlight is the maximum cost of the requests in flight, in bytes of memory.
	maxInFlight = 32 << 20
	// maxShare is the maximum cost for one client. The same amount is reserved for clients without
	// a request in flight. A quarter of a share is reserved for connections without one.
	maxShare = maxInFlight / 4
	// A call and its response cost callCost, and a byte of a body, which the SDK copies, byteCost.
	callCost = 64 << 10
	byteCost = 4
)

var errBusy = errors.New("too many requests are in flight; try again later")

// A quota limits the cost of the requests in flight. Requests that have not arrived completely are
// dropped, oldest first, before another is refused.
//
// The caller of a method whose name ends in Locked holds the mutex.
type quota struct {
	mu      sync.Mutex
	used    int
	clients map[string]*usage
}

// A usage is the cost of the requests of a client.
type usage struct {
	cost        int
	accounts    int
	connections map[string]int // the cost by connection
	arriving    []*account     // requests that have not arrived, oldest first
}

// An account is the cost of one request. It is the body of the request, and its bytes cost as they
// arrive.
type account struct {
	io.ReadCloser
	drop   func() // ends a Read that waits; called by another request, with the mutex held
	quota  *quota
	caller caller
	of     *usage // what the client uses
	cost   int
	over   bool // The request has ended, or has been dropped.
}

// open returns an account for a request whose body arrives, or an error if the quota is used up.
func (q *quota) open(of caller, body io.ReadCloser, drop func()) (*account, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	own := q.clients[of.client]
	if own == nil {
		own = &usage{connections: make(map[string]int)}
		q.clients[of.client] = own
	}
	a := &account{ReadCloser: body, drop: drop, quota: q, caller: of, of: own}
	own.accounts++
	own.arriving = append(own.arriving, a)
	if !q.takeLocked(a, callCost) {
		q.endLocked(a)
		return nil, errBusy
	}
	return a, nil
}

// Read reads from the body. The error is [errBusy] if the quota is used up.
func (a *account) Read(p []byte) (int, error) {
	n, err := a.ReadCloser.Read(p)
	a.quota.mu.Lock()
	defer a.quota.mu.Unlock()
	if !a.quota.takeLocked(a, byteCost*n) {
		return 0, errBusy
	}
	if err == io.EOF {
		a.of.removeLocked(a)
	}
	return n, err
}

// addCalls adds the cost of more calls. It reports false if the quota is used up.
func (a *account) addCalls(n int) bool {
	a.quota.mu.Lock()
	defer a.quota.mu.Unlock()
	return a.quota.takeLocked(a, callCost*n)
}

// close ends the account.
func (a *account) close() {
	a.quota.mu.Lock()
	defer a.quota.mu.Unlock()
	a.quota.endLocked(a)
}

// removeLocked removes a from the requests that have not arrived.
func (u *usage) removeLocked(a *account) {
	if i := slices.Index(u.arriving, a); i >= 0 {
		u.arriving = slices.Delete(u.arriving, i, i+1)
	}
}

// takeLocked adds a cost to an account, unless it is over or the quota is used up. It can drop other
// requests.
func (q *quota) takeLocked(a *account, cost int) bool {
	for !a.over {
		fits, droppable := q.fitsLocked(a, cost)
		if fits {
			q.addLocked(a, cost)
			return true
		}
		if len(droppable) == 0 || droppable[0] == a {
			return false
		}
		oldest := droppable[0]
		q.endLocked(oldest)
		oldest.drop()
	}
	return false
}

// fitsLocked reports whether the quota permits an additional cost of a; zero always fits. If not, it
// returns the requests that can be dropped, oldest first: those of the client of a if its share is
// used up, or else of the client with the highest cost that has requests to drop. A connection with
// another request can only drop its own among those of its client.
func (q *quota) fitsLocked(a *account, cost int) (fits bool, droppable []*account) {
	if cost == 0 {
		return true, nil
	}
	own := a.of
	limit, share := maxInFlight, maxShare
	if own.cost > a.cost {
		limit -= maxShare
	}
	droppable = own.arriving
	if own.connections[a.caller.connection] > a.cost {
		share -= maxShare / 4
		droppable = own.arrivingOver(a.caller.connection)
	}
	if own.cost+cost > share {
		return false, droppable
	}
	if q.used+cost <= limit {
		return true, nil
	}
	highest := own.cost
	for _, other := range q.clients {
		if other == own || len(other.arriving) == 0 {
			continue
		}
		if len(droppable) == 0 || other.cost > highest {
			droppable, highest = other.arriving, other.cost
		}
	}
	return false, droppable
}

// arrivingOver returns the requests over a connection that have not arrived.
func (u *usage) arrivingOver(connection string) (arriving []*account) {
	for _, a := range u.arriving {
		if a.caller.connection == connection {
			arriving = append(arriving, a)
		}
	}
	return arriving
}

func (q *quota) addLocked(a *account, cost int) {
	own := a.of
	q.used += cost
	a.cost += cost
	own.cost += cost
	own.connections[a.caller.connection] += cost
	if own.connections[a.caller.connection] == 0 {
		delete(own.connections, a.caller.connection)
	}
}

// endLocked removes an account.
func (q *quota) endLocked(a *account) {
	if a.over {
		return
	}
	q.addLocked(a, -a.cost)
	a.of.removeLocked(a)
	a.over = true
	a.of.accounts--
	if a.of.accounts == 0 {
		delete(q.clients, a.caller.client)
	}
}
