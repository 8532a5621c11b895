//lint:file-ignore SA1008 exchangeKey is not canonical on purpose, so that no client can send it

package mcphttp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/internal/admission"
	"gander/internal/frontend/message"
)

// An exchange is a POST under way. The SDK does not end the calls of sessions with the request that they came in.
type exchange struct {
	client  string // whose share of the server the calls take
	session string
	ctx     context.Context // ends with the request, or when its session is ended
	end     context.CancelFunc
	id      json.RawMessage // of the only message, if that is a call
	calls   int
	// unanswered says that the only call was cancelled by its client, which gets no answer then.
	unanswered atomic.Bool
}

// exchangeKey is the key in the headers of a request under which the SDK passes the key of an exchange to its handlers. It
// is not in the canonical form that every header has which a client sends.
const exchangeKey = "gander-exchange"

// exchanges are the exchanges under way.
type exchanges struct {
	mu   sync.Mutex
	last int
	open map[string]*exchange
}

// begin enters an exchange for the request, until done is called.
func (s *exchanges) begin(r *http.Request, e *exchange) (done func()) {
	e.ctx, e.end = context.WithCancel(r.Context())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	key := strconv.Itoa(s.last)
	s.open[key] = e
	r.Header[exchangeKey] = []string{key}
	return func() {
		e.end()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, key)
	}
}

// endSession cancels the calls of a session.
func (s *exchanges) endSession(session string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.open {
		if e.session == session {
			e.end()
		}
	}
}

// of returns the exchange of a message, or nil if there is none.
func (s *exchanges) of(req mcp.Request) *exchange {
	extra := req.GetExtra()
	if extra == nil || len(extra.Header[exchangeKey]) == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[extra.Header[exchangeKey][0]]
}

// bind is middleware that makes calls for the client of their exchange and ends them with it.
func (s *exchanges) bind(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		e := s.of(req)
		if e == nil || e.calls == 0 {
			return next(ctx, method, req)
		}
		bound, cancel := context.WithCancel(admission.WithResponse(admission.WithClient(ctx, e.client), ctx))
		defer cancel()
		defer context.AfterFunc(e.ctx, cancel)()
		result, err := next(bound, method, req)
		if ctx.Err() != nil && e.id != nil {
			e.unanswered.Store(true)
		}
		return result, err
	}
}

// callerOf returns names for the client of a request, which is its session, or all that its address asks without one, and for
// its address.
func (h *Handler) callerOf(r *http.Request) caller {
	address := addressOf(r)
	if id := r.Header.Get("Mcp-Session-Id"); h.sessions.known(id) {
		return caller{"session " + id, address}
	}
	return caller{"no session " + address, address}
}

// addressOf returns the address that a request comes from, without the port.
func addressOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// An answerWriter writes the answer of an exchange. It makes an answer of the protocol of an error that the SDK gives as
// text, and drops the answer to a cancelled call.
type answerWriter struct {
	http.ResponseWriter
	e     *exchange
	fault bool // the answer is an error in text
}

// Unwrap is for [http.ResponseController].
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements [http.ResponseWriter].
func (w *answerWriter) WriteHeader(code int) {
	if code == http.StatusBadRequest && w.e.id != nil && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.fault = true // Write knows the error.
		return
	}
	w.ResponseWriter.WriteHeader(code)
}

func (w *answerWriter) Write(b []byte) (int, error) {
	if w.e.unanswered.Load() {
		return len(b), nil
	}
	if !w.fault {
		return w.ResponseWriter.Write(b)
	}
	w.fault = false
	text, status, code := strings.TrimSpace(string(b)), http.StatusBadRequest, int64(jsonrpc.CodeInvalidRequest)
	if rest, unknown := strings.CutPrefix(text, "JSON RPC not handled: "); unknown { // jsonrpc2.ErrNotHandled
		text, status, code = "method not found: "+strings.TrimSuffix(rest, " unsupported"), http.StatusOK, jsonrpc.CodeMethodNotFound
	}
	answer(w.ResponseWriter, status, message.Refuse(w.e.id, code, text))
	return len(b), nil
}

// answer answers a request with an error of the protocol.
func answer(w http.ResponseWriter, status int, r *message.Refusal) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(r) // The client may be gone.
}

// inspect decodes the body of a POST and returns the exchange that it begins, or the refusal to answer it with.
func (h *Handler) inspect(r *http.Request, client string, body []byte) (*exchange, *message.Refusal) {
	e := &exchange{client: client, session: r.Header.Get("Mcp-Session-Id")}
	body = bytes.TrimSpace(body)
	members := []json.RawMessage{body}
	if message.IsBatch(body) {
		revision := h.sessions.revision(e.session)
		if !message.HasBatches(revision) || !message.HasBatches(cmp.Or(r.Header.Get("Mcp-Protocol-Version"), revision)) {
			return nil, message.Refuse(nil, jsonrpc.CodeInvalidRequest, "the revision of this session has no batches; send one message in a request")
		}
		var refused *message.Refusal
		if members, refused = message.Members(body); refused != nil {
			return nil, refused
		}
	}
	for _, m := range members {
		msg, refused := message.Decode(m)
		if refused == nil && msg == nil {
			refused = message.Refuse(nil, jsonrpc.CodeInvalidRequest, "this is not an answer")
		}
		if refused != nil {
			return nil, refused
		}
		if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() {
			e.calls++
			if !message.IsBatch(body) {
				e.id, _ = json.Marshal(req.ID.Raw())
			}
			if req.Method == "resources/read" || req.Method == "prompts/get" {
				e.calls += blobCalls - 1
			}
		}
	}
	return e, nil
}
