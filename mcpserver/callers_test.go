package mcpserver

import (
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"
)

var proxies = HTTPOptions{TrustedProxies: []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8"),
}}

// TestClientAddress checks which client a request has, by its connection and its headers.
func TestClientAddress(t *testing.T) {
	const list = "X-Forwarded-For"
	for _, tt := range []struct {
		remote  string
		headers []string // a name and a value each
		want    string
	}{
		{"192.0.2.1:80", nil, "192.0.2.1"},
		{"[::ffff:192.0.2.1]:80", nil, "192.0.2.1"},
		{"[2001:db8:1:2:3:4:5:6]:80", nil, "2001:db8:1:2::/64"},
		{"192.0.2.1:80", []string{list, "192.0.2.9"}, "192.0.2.1"},

		{"10.0.0.1:80", nil, "10.0.0.1"},
		{"10.0.0.1:80", []string{list, "192.0.2.1"}, "192.0.2.1"},
		{"[::ffff:10.0.0.1]:80", []string{list, "192.0.2.1"}, "192.0.2.1"},
		{"[fd00::1]:80", []string{list, "2001:db8:1:2:3:4:5:6"}, "2001:db8:1:2::/64"},
		{"10.0.0.1:80", []string{list, "192.0.2.8, 192.0.2.1"}, "192.0.2.1"},
		{"10.0.0.1:80", []string{list, "192.0.2.8,192.0.2.1,10.0.0.2 ,\tfd00::2"}, "192.0.2.1"},
		{"10.0.0.1:80", []string{list, "192.0.2.8", list, "192.0.2.1", list, "10.0.0.2"}, "192.0.2.1"},
		{"10.0.0.1:80", []string{list, "192.0.2.1:4711"}, "192.0.2.1"},
		{"10.0.0.1:80", []string{list, "[2001:db8::1]:4711"}, "2001:db8::/64"},
		{"10.0.0.1:80", []string{list, "[2001:db8::1]"}, "2001:db8::/64"},
		{"10.0.0.1:80", []string{list, "::ffff:192.0.2.1"}, "192.0.2.1"},
		{"10.0.0.1:80", []string{list, "192.0.2.1, ::ffff:10.0.0.2"}, "192.0.2.1"},
		{"10.0.0.1:80", []string{list, "10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"10.0.0.1:80", []string{list, ""}, "10.0.0.1"},
		{"10.0.0.1:80", []string{list, "192.0.2.1, "}, "10.0.0.1"},
		{"10.0.0.1:80", []string{list, "unknown"}, "10.0.0.1"},
		{"10.0.0.1:80", []string{list, "192.0.2.1 192.0.2.2"}, "10.0.0.1"},
		{"10.0.0.1:80", []string{list, "fe80::1%eth0"}, "10.0.0.1"},
		{"10.0.0.1:80", []string{list, "192.0.2.1, 0300.1, 10.0.0.2"}, "10.0.0.2"},
		{"10.0.0.1:80", []string{list, strings.Repeat(" ", 2<<10-9) + "192.0.2.1"}, "192.0.2.1"},
		{"10.0.0.1:80", []string{list, strings.Repeat(" ", 2<<10-8) + "192.0.2.1"}, "10.0.0.1"},

		// The header Forwarded does not count.
		{"10.0.0.1:80", []string{"Forwarded", "for=192.0.2.1"}, "10.0.0.1"},
		{"10.0.0.1:80", []string{list, "192.0.2.1", "Forwarded", "for=192.0.2.9"}, "192.0.2.1"},
	} {
		r := &http.Request{RemoteAddr: tt.remote, Header: make(http.Header)}
		for i := 0; i < len(tt.headers); i += 2 {
			r.Header.Add(tt.headers[i], tt.headers[i+1])
		}
		h := &handler{options: proxies}
		if got := networkOf(h.clientAddress(r)); got != tt.want {
			t.Errorf("%s %q: %s, want %s", tt.remote, tt.headers, got, tt.want)
		}
	}
}

// FuzzForwarded checks that a client behind a trusted proxy counts as itself, or as the proxy,
// whatever header it sends. The proxy adds its address, on a line of its own or not.
func FuzzForwarded(f *testing.F) {
	for _, sent := range []string{"", "192.0.2.9", "192.0.2.9, 10.0.0.2", "10.0.0.2", "unknown, [", "\x00"} {
		f.Add(sent)
	}
	client := netip.MustParseAddr("2001:db8::1")
	h := &handler{options: proxies}
	f.Fuzz(func(t *testing.T, sent string) {
		for _, added := range []string{"2001:db8::1", "[2001:db8::1]:99, 10.0.0.2"} {
			joined, separate := sent+", "+added, []string{sent, added}
			for _, values := range [][]string{{joined}, separate, {added}} {
				r := &http.Request{
					RemoteAddr: "10.0.0.1:80", Header: http.Header{"X-Forwarded-For": values},
				}
				isTooLong := len(sent)+len(added) > maxForwarded/2
				if got := h.clientAddress(r); got != client && !isTooLong {
					t.Errorf("%q: %v", r.Header, got)
				}
				r.RemoteAddr = "192.0.2.1:80"
				if got := h.clientAddress(r); got.String() != "192.0.2.1" {
					t.Errorf("%q of no proxy: %v", r.Header, got)
				}
			}
		}
	})
}

// TestFair makes more calls of one client than the limits permit. A call of another one, known by
// its address behind a proxy, by its token or by its session, must start.
func TestFair(t *testing.T) {
	local := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	const other = token + "-other"
	for name, tt := range map[string]struct {
		options     HTTPOptions
		busy, quiet []string // headers
		running     int      // calls of the busy client
	}{
		"address": {
			HTTPOptions{TrustedProxies: local},
			[]string{"X-Forwarded-For", "192.0.2.1"},
			[]string{"X-Forwarded-For", "192.0.2.1, 192.0.2.2"},
			40,
		},
		"token": {
			HTTPOptions{Tokens: []Token{{Name: "a", Secret: token}, {Name: "b", Secret: other}}},
			[]string{"Authorization", "Bearer " + token},
			[]string{"Authorization", "Bearer " + other},
			48,
		},
		"session": {
			HTTPOptions{}, []string{"Mcp-Session-Id", "busy"}, []string{"Mcp-Session-Id", "quiet"}, 40,
		},
	} {
		t.Run(name, func(t *testing.T) {
			server, wait := newWaiting(t)
			url := listenAt(t, server, &tt.options)
			var calls sync.WaitGroup
			defer calls.Wait()
			defer close(wait.release)
			refused := make(chan int, 300)
			for range 300 {
				r := request(t, "POST", url+"/mcp", waitCall, tt.busy...)
				calls.Go(func() {
					code, _ := do(t, r)
					if code != http.StatusOK {
						refused <- code
					}
				})
			}
			if code := <-refused; code != http.StatusServiceUnavailable {
				t.Fatalf("status %d", code)
			}
			for range tt.running {
				<-wait.started
			}
			calls.Go(func() {
				code, body := do(t, request(t, "POST", url+"/mcp", waitCall, tt.quiet...))
				if code != http.StatusOK {
					t.Errorf("the other client: %d %s", code, body)
				}
			})
			select {
			case <-wait.started:
			case <-time.After(waitTimeout):
				t.Error("the call of the other client waits")
			}
		})
	}
}
