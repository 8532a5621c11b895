package mcphttp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

const (
	// maxReceive is the time in which the body of a request must arrive.
	maxReceive = 10 * time.Second
	// maxUnread is the time in which the server takes the rest of a body that it does not read.
	maxUnread = time.Second
	// maxWrite is the time in which a client must read what one Write has written.
	maxWrite = 30 * time.Second
)

// A writeDeadlineWriter sets a new deadline for each Write. It ends a connection whose client does not read, and lets an
// answer as a whole take any time.
type writeDeadlineWriter struct{ http.ResponseWriter }

// Unwrap is for [http.ResponseController].
func (w writeDeadlineWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w writeDeadlineWriter) Write(b []byte) (int, error) {
	w.extend()
	return w.ResponseWriter.Write(b)
}

// extend sets a new deadline. A connection keeps its deadline from one request to the next.
func (w writeDeadlineWriter) extend() {
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(maxWrite)) // Not every ResponseWriter has deadlines.
}

// unread bounds the time in which the body of a request arrives that is not read.
func unread(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(maxUnread)) // Not every ResponseWriter has deadlines.
	}
}

// receive reads the body of a request, which may have [maxBody] bytes and take [maxReceive]. The caller calls release when
// it no longer needs the body. If receive cannot read it, it answers the request and reports false.
func (h *Handler) receive(w http.ResponseWriter, r *http.Request) (body []byte, release func(), ok bool) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(maxReceive)) // Not every ResponseWriter has deadlines.
	release = func() {}
	limited := http.MaxBytesReader(w, r.Body, maxBody)
	body, err := io.ReadAll(io.LimitReader(limited, smallBody))
	if err == nil && len(body) == smallBody {
		select {
		case h.large <- struct{}{}:
			release = func() { <-h.large }
		default:
			h.refuse(w, r, http.StatusServiceUnavailable, "too many large requests are under way; send less, or try again later")
			return nil, nil, false
		}
		var rest []byte
		rest, err = io.ReadAll(limited)
		body = append(body, rest...)
	}
	if err == nil {
		_ = control.SetReadDeadline(time.Time{})
		return body, release, true
	}
	release()
	if errors.As(err, new(*http.MaxBytesError)) {
		h.refuse(w, r, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body has more than %d bytes; send less in one request", maxBody))
	} else {
		h.refuse(w, r, http.StatusBadRequest, "the body did not arrive")
	}
	return nil, nil, false
}

// calls count the calls under way, so that no client takes all places: one client gets at most maxShare of them, and the last
// quarter is for clients without a call under way, half of it for those at an address without one.
type calls struct {
	mu  sync.Mutex
	all int
	by  map[string]int // the calls of each client, and those of each address
}

// A caller is a client and the address that it makes requests from.
type caller struct{ client, address string }

// wait enters n calls of a client as soon as there is room, and reports false if that takes too long.
func (c *calls) wait(ctx context.Context, client caller, n int) bool {
	for start := time.Now(); !c.enter(client, n); time.Sleep(20 * time.Millisecond) {
		if ctx.Err() != nil || time.Since(start) > maxWait {
			return false
		}
	}
	return true
}

func (c *calls) enter(client caller, n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	room := maxCalls - maxCalls/4
	switch {
	case c.by[client.address] == 0:
		room = maxCalls
	case c.by[client.client] == 0:
		room = maxCalls - maxCalls/8
	}
	if c.all+n > room || c.by[client.client]+n > maxShare {
		return false
	}
	c.add(client, n)
	return true
}

func (c *calls) leave(client caller, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(client, -n)
}

func (c *calls) add(client caller, n int) {
	c.all += n
	c.by[client.client] += n
	c.by[client.address] += n
	for _, name := range []string{client.client, client.address} {
		if c.by[name] == 0 {
			delete(c.by, name)
		}
	}
}
