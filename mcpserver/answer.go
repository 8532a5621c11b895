package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// answer responds to the messages of a request. Each call goes to the SDK alone, so that no other
// message of its batch can spoil it. Notifications have no effect without sessions.
func (h *handler) answer(w http.ResponseWriter, r *http.Request, messages []message, batch bool) {
	a := &bodyWriter{client: w, batch: batch}
	revision := r.Header.Get("Mcp-Protocol-Version")
	if batch && revision > lastBatches {
		a.batch = false
		messages = []message{{refused: failure(jsonrpc.CodeInvalidRequest,
			"batching is not part of revision %s; send one message", revision)}}
	}
	used := make(map[jsonrpc.ID]bool)
	var calls sync.WaitGroup
	for _, m := range messages {
		request := m.call()
		if request != nil && used[request.ID] {
			m, request = message{refused: errUsed()}, nil
		}
		switch {
		case request != nil:
			used[request.ID] = true
			calls.Go(func() { h.call(a, r, request) })
		case m.refused != nil:
			a.refuse(m, revision)
		}
	}
	calls.Wait()
	a.end()
}

// call passes a call to the SDK.
func (h *handler) call(to *bodyWriter, r *http.Request, request *jsonrpc.Request) {
	a := &callWriter{body: to, id: request.ID, header: make(http.Header), status: http.StatusOK}
	defer func() {
		fault := recover() // A fault ends one call, not the process.
		if fault != nil && h.options.Logger != nil {
			h.options.Logger.Error("fault in a call", "fault", fault, "stack", string(debug.Stack()))
		}
		if !a.written {
			err := failure(jsonrpc.CodeInternalError, "the server has no response")
			_, _ = to.send(http.StatusOK, respondError(request.ID, err)) // The client may be gone.
		}
	}()
	r = r.WithContext(r.Context()) // a copy
	r.Body = io.NopCloser(bytes.NewReader(encodeRequest(request)))
	h.server.ServeHTTP(a, r)
}

// encodeRequest returns a request as JSON. Only its parameters are as the client wrote them.
func encodeRequest(request *jsonrpc.Request) []byte {
	id, _ := json.Marshal(request.ID.Raw()) // Strings and numbers can be encoded.
	method, _ := json.Marshal(request.Method)
	text := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"method":%s`, id, method)
	if request.Params != nil {
		text = fmt.Appendf(text, `,"params":%s`, request.Params)
	}
	return append(text, '}')
}

// A bodyWriter writes the responses to the messages of a request: one, or an array of those to a
// batch. Calls use it concurrently.
type bodyWriter struct {
	client http.ResponseWriter
	batch  bool

	mu    sync.Mutex // guards begun, and writing
	begun bool
}

// send writes a response. The status is that of a response outside a batch.
func (a *bodyWriter) send(status int, text []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	separator := ","
	if !a.begun {
		separator = "["
		a.begin(status)
	}
	if a.batch {
		if _, err := io.WriteString(a.client, separator); err != nil {
			return 0, err
		}
	}
	return a.client.Write(text)
}

// begin writes the header.
func (a *bodyWriter) begin(status int) {
	a.begun = true
	header := a.client.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-cache, no-transform")
	if a.batch {
		status = http.StatusOK
	}
	a.client.WriteHeader(status)
}

// refuse writes the response to a refused message. It has the status of the SDK's responses.
func (a *bodyWriter) refuse(m message, revision string) {
	status := http.StatusBadRequest
	coded, _ := errors.AsType[*jsonrpc.Error](m.refused)
	notFound := coded != nil && coded.Code == jsonrpc.CodeMethodNotFound
	switch {
	case notFound && revision >= modern:
		status = http.StatusNotFound
	case notFound:
		status = http.StatusOK
	}
	_, _ = a.send(status, m.refusal()) // The client may be gone.
}

// end ends a batch, and responds to a request without calls.
func (a *bodyWriter) end() {
	switch {
	case !a.begun:
		a.client.WriteHeader(http.StatusAccepted)
	case a.batch:
		_, _ = io.WriteString(a.client, "]") // The client may be gone.
	}
}

// A callWriter is where the SDK writes the response to a call. It passes on a result while the SDK
// counts its memory, and whatever else the SDK writes as an error with the id of the call.
type callWriter struct {
	body    *bodyWriter
	id      jsonrpc.ID
	header  http.Header
	status  int
	written bool
}

func (a *callWriter) Header() http.Header { return a.header }

func (a *callWriter) WriteHeader(status int) { a.status = status }

func (a *callWriter) Write(text []byte) (int, error) {
	first := !a.written
	a.written = true
	switch {
	case strings.HasPrefix(a.header.Get("Content-Type"), "text/event-stream"):
		return a.stream(first, text)
	case isResult(text):
		return a.body.send(a.status, text)
	default:
		_, err := a.body.send(a.status, respondError(a.id, readError(text)))
		return len(text), err
	}
}

// stream passes on a part of a stream of events, which no batch contains.
func (a *callWriter) stream(first bool, text []byte) (int, error) {
	a.body.mu.Lock()
	defer a.body.mu.Unlock()
	if first {
		a.body.begun = true
		maps.Copy(a.body.client.Header(), a.header)
	}
	return a.body.client.Write(text)
}

// isResult reports whether a response of the SDK is a result. It reads only the members before it.
func isResult(text []byte) bool {
	d := json.NewDecoder(bytes.NewReader(text))
	var token json.Token
	for range 6 { // {"jsonrpc":"2.0","id":1,"result":
		token, _ = d.Token()
	}
	return token == "result"
}

// readError returns the error in a response of the SDK, which can be plain text.
func readError(text []byte) error {
	decoded, err := jsonrpc.DecodeMessage(text)
	response, ok := decoded.(*jsonrpc.Response)
	if err != nil || !ok || response.Error == nil {
		return failure(jsonrpc.CodeInvalidRequest, "%s", bytes.TrimSpace(text))
	}
	return response.Error
}
