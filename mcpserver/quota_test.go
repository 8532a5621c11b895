package mcpserver

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gander/internal/admission"
	"gander/internal/testkit"
)

func callerOver(client, connection string) admission.Caller {
	return admission.Caller{Client: client, Connection: connection}
}

// arrive opens an account for a request that has arrived, with a body of n bytes.
func arrive(q *quota, from admission.Caller, n int) (*account, error) {
	a, err := q.open(from, strings.NewReader(strings.Repeat(" ", n)), func() {})
	if err == nil {
		_, err = io.Copy(io.Discard, a)
		if err != nil {
			a.end()
		}
	}
	return a, err
}

// TestQuota checks that a client cannot use up the quota of others, and a connection not the quota
// of its client.
func TestQuota(t *testing.T) {
	var q quota
	var accounts []*account
	fill := func(client, connection string) (n int) {
		for {
			a, err := arrive(&q, callerOver(client, connection), 0)
			if err != nil {
				return n
			}
			n++
			accounts = append(accounts, a)
		}
	}
	const share = 8 << 20 / requestCost
	for i := range 3 {
		client := fmt.Sprint("many", i)
		first, second := fill(client, "1"), fill(client, "2")
		others := 0
		for j := range share {
			others += fill(client, fmt.Sprint("more", j))
		}
		if first != share*3/4 || second != 1 || others != share/4-1 {
			t.Errorf("%s has %d, %d and %d", client, first, second, others)
		}
	}
	for i := range share {
		if n := fill(fmt.Sprint("new", i), ""); n != 1 {
			t.Fatalf("new client %d has %d requests", i, n)
		}
	}
	if fill("last", "") != 0 {
		t.Error("there is no limit")
	}
	for _, a := range accounts {
		a.end()
	}
	if len(q.accounts) > 0 {
		t.Errorf("%d requests are left over", len(q.accounts))
	}
}

// TestGivenUp checks that the oldest request that has not arrived is dropped before a request is
// refused, and that one that has arrived never is.
func TestGivenUp(t *testing.T) {
	var q quota
	given := ""
	begin := func(client, name string) *account {
		a, err := q.open(callerOver(client, name), http.NoBody, func() { given += name + " " })
		testkit.Must(t, err)
		return a
	}
	arrived, err := arrive(&q, callerOver("a", "arrived"), 0)
	testkit.Must(t, err)
	first := begin("a", "first")
	for i := range maxShare/requestCost - 2 {
		begin("a", fmt.Sprint(i))
	}
	if given != "" {
		t.Fatalf("%s dropped early", given)
	}
	begin("a", "last")
	if given != "first " || first.chargeRequests(0) || !arrived.chargeRequests(0) {
		t.Errorf("%q dropped", given)
	}
	for _, client := range []string{"b", "c"} {
		for i := range maxShare / requestCost {
			begin(client, fmt.Sprint(client, i))
		}
	}
	given = ""
	for i := range 3 * maxShare / requestCost {
		begin(fmt.Sprint("d", i), "d")
	}
	if strings.Count(given, " ") != 2*maxShare/requestCost || strings.Contains(given, "d") {
		t.Errorf("%q dropped", given)
	}
}

// TestGivenUpForConnection checks that the requests of a connection that has used up its part drop
// none of another connection of the client.
func TestGivenUpForConnection(t *testing.T) {
	var q quota
	quiet, err := q.open(callerOver("a", "quiet"), http.NoBody, func() {})
	testkit.Must(t, err)
	for range 2 * maxShare / requestCost {
		_, err = arrive(&q, callerOver("a", "busy"), 0)
	}
	if err == nil || !quiet.chargeRequests(0) {
		t.Errorf("the quiet connection has lost its request, and the busy one is told %v", err)
	}
	if _, _, busy := q.othersLocked(&account{Caller: callerOver("a", "busy")}); busy < maxShare/2 {
		t.Errorf("the busy connection has %d bytes", busy)
	}
}

// TestArrivedIsFree checks that the end of a body costs nothing, even if another connection of the
// client has used up the share meanwhile.
func TestArrivedIsFree(t *testing.T) {
	var q quota
	_, err := arrive(&q, callerOver("a", "1"), maxShare/2/byteCost)
	testkit.Must(t, err)
	ending, err := q.open(callerOver("a", "1"), http.NoBody, func() {})
	testkit.Must(t, err)
	_, err = arrive(&q, callerOver("a", "2"), maxShare*3/8/byteCost)
	testkit.Must(t, err)
	if _, err := ending.Read(nil); err != io.EOF || !ending.chargeRequests(0) {
		t.Error(err)
	}
}

// A lateBody is an empty body. Before it ends, its request is dropped.
type lateBody struct{ h *handler }

func (b lateBody) Read([]byte) (int, error) {
	for i := range maxShare / requestCost {
		_, _ = b.h.quota.open(callerOver("192.0.2.1", fmt.Sprint(i)), http.NoBody, func() {})
	}
	return 0, io.EOF
}

// TestGivenUpConnection checks that the connection of a request that is dropped closes after its
// response, even if its body has just ended. The deadline has then ended the context of the
// connection, and so of later requests.
func TestGivenUpConnection(t *testing.T) {
	server, _ := newWaiting(t)
	h, ok := Handler(server, nil).(*handler)
	if !ok {
		t.Fatal("another handler")
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "http://localhost/mcp", lateBody{h})
	r.RemoteAddr = "192.0.2.1:80"
	h.ServeHTTP(w, r)
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Connection") != "close" {
		t.Errorf("%d, %v", w.Code, w.Header())
	}
}

// TestQuotaAlways makes random requests of a few clients, and checks after each step that no limit
// is exceeded, and that no request is refused while another one has not arrived: of its client, or of
// its connection if that has other requests.
func TestQuotaAlways(t *testing.T) {
	var q quota
	random := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 20_000 {
		from := callerOver(fmt.Sprint(random.IntN(6)), fmt.Sprint(random.IntN(3)))
		if _, err := q.open(from, http.NoBody, func() {}); err != nil {
			refused++
			if a := arrivingFor(&q, from); a != nil {
				t.Fatalf("%v is refused beside one that arrives over %s", from, a.Connection)
			}
		}
		for _, a := range slices.Clone(q.accounts) {
			switch random.IntN(4) {
			case 0:
				a.chargeRequests(random.IntN(maxBatch))
			case 1:
				_, _ = a.Read(nil) // It has arrived.
			case 2:
				a.end()
			}
			if random.IntN(8) == 0 {
				break
			}
		}
		sum, clients := 0, make(map[string]int)
		for _, a := range q.accounts {
			sum += a.cost
			clients[a.Client] += a.cost
			if a.cost < requestCost || a.ended || clients[a.Client] > maxShare {
				t.Fatalf("a request of %v costs %d, of %d", a.Caller, a.cost, clients[a.Client])
			}
		}
		if sum > maxInFlight {
			t.Fatalf("%d used", sum)
		}
	}
	if refused == 0 {
		t.Error("no request is refused")
	}
}

// arrivingFor returns a request that has not arrived, and that a new one of a caller can drop.
func arrivingFor(q *quota, from admission.Caller) *account {
	_, _, ofConnection := q.othersLocked(&account{Caller: from})
	for _, a := range q.accounts {
		isOwn := a.Caller == from || a.Client == from.Client && ofConnection == 0
		if isOwn && !a.arrived {
			return a
		}
	}
	return nil
}

// TestUnknownLengths checks that concurrent calls cost the length of their bodies, even if the
// client does not send it first.
func TestUnknownLengths(t *testing.T) {
	server, wait := newWaiting(t)
	url := listenAt(t, server, nil)
	var calls sync.WaitGroup
	for range 32 {
		calls.Go(func() {
			r := request(t, "POST", url+"/mcp", "")
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(waitCall)), -1
			if code, body := do(t, r); code != 200 || !strings.Contains(body, "waited") {
				t.Errorf("%d %s", code, body)
			}
		})
	}
	late := time.After(waitTimeout)
	for i := range 16 {
		select {
		case <-wait.started:
			continue
		case <-late:
			t.Errorf("only %d calls run concurrently", i)
		}
		break
	}
	close(wait.release)
	calls.Wait()
}
