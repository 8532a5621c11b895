package mcpserver

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"sync"

	"gander/internal/admission"
)

const (
	// maxInFlight is the maximum cost of the requests in flight, in bytes of memory.
	maxInFlight = 32 << 20
	// maxShare is the maximum cost for one client. The same amount is reserved for clients without
	// a request in flight. A quarter of a share is reserved for connections without one.
	maxShare = maxInFlight / 4
	// A request and its response cost requestCost, and a byte of a body, which the SDK copies, byteCost.
	requestCost = 64 << 10
	byteCost    = 4
)

var errBusy = errors.New("too many requests are in flight; try again later")

// A quota limits the cost of the requests in flight. Requests that have not arrived completely are
// dropped before another is refused. There are at most maxInFlight/requestCost requests, so that it is
// cheap to sum up their costs whenever that is needed.
type quota struct {
	mu       sync.Mutex // guards accounts and their costs; functions named Locked need it
	accounts []*account // of the requests in flight, the oldest first
}

// An account is the cost of one request in flight. The body of the request is read from it, and its
// bytes cost as they arrive.
type account struct {
	admission.Caller
	body  io.Reader
	quota *quota
	drop  func() // ends a Read that waits; called by another request, with the mutex held

	cost    int
	arrived bool
	ended   bool // The request has been served, refused or dropped.
}

// open returns an account for a request whose body arrives, or an error if the quota is used up.
func (q *quota) open(from admission.Caller, body io.Reader, drop func()) (*account, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	a := &account{Caller: from, body: body, quota: q, drop: drop}
	q.accounts = append(q.accounts, a)
	if !q.chargeLocked(a, requestCost) {
		q.endLocked(a)
		return nil, errBusy
	}
	return a, nil
}

// Read reads from the body. The error is [errBusy] if the quota is used up.
func (a *account) Read(p []byte) (int, error) {
	n, err := a.body.Read(p)
	a.quota.mu.Lock()
	defer a.quota.mu.Unlock()
	if !a.quota.chargeLocked(a, byteCost*n) {
		return 0, errBusy
	}
	if err == io.EOF {
		a.arrived = true
	}
	return n, err
}

// chargeRequests adds the cost of n further requests in a batch. It reports false if the quota is used
// up.
func (a *account) chargeRequests(n int) bool {
	a.quota.mu.Lock()
	defer a.quota.mu.Unlock()
	return a.quota.chargeLocked(a, requestCost*n)
}

// end removes the account from the quota.
func (a *account) end() {
	a.quota.mu.Lock()
	defer a.quota.mu.Unlock()
	a.quota.endLocked(a)
}

func (q *quota) endLocked(a *account) {
	a.ended = true
	q.accounts = slices.DeleteFunc(q.accounts, func(other *account) bool { return other == a })
}

// chargeLocked adds a cost to an account, unless it has ended or the quota is used up. It can drop
// other requests.
func (q *quota) chargeLocked(a *account, cost int) bool {
	for !a.ended {
		share, total := q.exceedsLocked(a, cost)
		if !share && !total {
			a.cost += cost
			return true
		}
		victim := q.victimLocked(a, share)
		if victim == nil || victim == a {
			return false
		}
		q.endLocked(victim)
		victim.drop()
	}
	return false
}

// exceedsLocked reports whether an additional cost of a would exceed the share of its client, and
// whether it would exceed the quota. Zero always fits.
func (q *quota) exceedsLocked(a *account, cost int) (share, total bool) {
	if cost == 0 {
		return false, false
	}
	all, ofClient, ofConnection := q.othersLocked(a)
	maxTotal, maxClient := maxInFlight, maxShare
	if ofClient > 0 {
		maxTotal -= maxShare
	}
	if ofConnection > 0 {
		maxClient -= maxShare / 4
	}
	needed := a.cost + cost
	return ofClient+needed > maxClient, all+needed > maxTotal
}

// othersLocked returns the cost of the requests other than a: of all, of those of its client, and of
// those over its connection.
func (q *quota) othersLocked(a *account) (all, ofClient, ofConnection int) {
	for _, other := range q.accounts {
		if other == a {
			continue
		}
		all += other.cost
		if other.Client == a.Client {
			ofClient += other.cost
		}
		if other.Caller == a.Caller {
			ofConnection += other.cost
		}
	}
	return all, ofClient, ofConnection
}

// victimLocked returns the request to drop for a, which can be a itself, or nil if there is none: the
// oldest one that has not arrived, of the client with the highest cost that has one. With ownOnly, it
// is of the client of a. A connection with other requests drops none of its client's other
// connections.
func (q *quota) victimLocked(a *account, ownOnly bool) *account {
	_, _, ofConnection := q.othersLocked(a)
	costs := make(map[string]int)
	var droppable []*account
	for _, other := range q.accounts {
		costs[other.Client] += other.cost
		permitted := !ownOnly
		if other.Client == a.Client {
			permitted = ofConnection == 0 || other.Connection == a.Connection
		}
		if permitted && !other.arrived {
			droppable = append(droppable, other)
		}
	}
	if len(droppable) == 0 {
		return nil
	}
	return slices.MaxFunc(droppable, func(x, y *account) int { // the first of several
		return cmp.Compare(costs[x.Client], costs[y.Client])
	})
}
