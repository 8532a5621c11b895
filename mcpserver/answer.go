package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// answer responds to the messages in a body. The SDK serves each request alone, so that no other
// message of its batch can spoil it. Notifications have no effect without sessions.
func (h *handler) answer(w http.ResponseWriter, r *http.Request, messages []message, isBatch bool) {
	revision := r.Header.Get("Mcp-Protocol-Version")
	if isBatch && revision > lastBatches {
		isBatch = false
		messages = []message{{refused: failure(jsonrpc.CodeInvalidRequest,
			"batching is not part of revision %s; send one message", revision)}}
	}
	body := &bodyWriter{client: w, isBatch: isBatch}
	used := make(map[jsonrpc.ID]bool)
	var requests sync.WaitGroup
	for _, m := range messages {
		request := m.request()
		switch {
		case m.refused != nil:
			_ = body.send(refusalStatus(m.refused, revision), m.errorResponse())
		case request == nil:
		case used[request.ID]:
			_ = body.send(http.StatusBadRequest, respondError(jsonrpc.ID{}, errUsed))
		default:
			used[request.ID] = true
			requests.Go(func() { h.serveRequest(body, r, request) })
		}
	}
	requests.Wait()
	body.end()
}

// refusalStatus returns the status of the response to a refused message, which is the one that the
// SDK would use.
func refusalStatus(refused error, revision string) int {
	coded, _ := errors.AsType[*jsonrpc.Error](refused)
	notFound := coded != nil && coded.Code == jsonrpc.CodeMethodNotFound
	switch {
	case notFound && revision >= modern:
		return http.StatusNotFound
	case notFound:
		return http.StatusOK
	default:
		return http.StatusBadRequest
	}
}

// serveRequest has the SDK serve a request, and writes the response.
func (h *handler) serveRequest(body *bodyWriter, r *http.Request, request *jsonrpc.Request) {
	w := &responseWriter{body: body, header: make(http.Header), status: http.StatusOK}
	defer func() {
		if fault := recover(); fault != nil { // It ends one request, not the process.
			h.options.Logger.Error("fault in a call", "fault", fault, "stack", string(debug.Stack()))
		}
		w.end(request.ID)
	}()
	r = r.WithContext(r.Context()) // a copy
	r.Body = io.NopCloser(bytes.NewReader(encodeRequest(request)))
	h.sdk.ServeHTTP(w, r)
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

// A bodyWriter writes the responses to the messages of a body: one, or an array of those to a batch.
// Requests use it concurrently. If a write fails, the client is gone.
type bodyWriter struct {
	client  http.ResponseWriter
	isBatch bool

	mu    sync.Mutex // guards begun, and writing
	begun bool
}

// send writes a response in JSON. The status is that of a response outside a batch.
func (b *bodyWriter) send(status int, text []byte) error {
	if b.isBatch {
		status = http.StatusOK
	}
	return b.sendAs("application/json", status, text)
}

// sendAs writes a response. The first one begins with the header.
func (b *bodyWriter) sendAs(contentType string, status int, text []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	separator := ","
	if !b.begun {
		b.begun = true
		separator = "["
		header := b.client.Header()
		header.Set("Content-Type", contentType)
		header.Set("Cache-Control", "no-cache, no-transform")
		b.client.WriteHeader(status)
	}
	if b.isBatch {
		_, _ = io.WriteString(b.client, separator)
	}
	_, err := b.client.Write(text)
	return err
}

// end ends a batch, or accepts a body to which there is no response.
func (b *bodyWriter) end() {
	switch {
	case !b.begun:
		b.client.WriteHeader(http.StatusAccepted)
	case b.isBatch:
		_, _ = io.WriteString(b.client, "]")
	}
}

// A responseWriter is where the SDK writes the response to a request. It passes on a result at once,
// because the memory of the result is reserved only until the SDK has written it. Anything else is
// short, and is kept until the SDK returns: an error, or the events of a subscription.
type responseWriter struct {
	body   *bodyWriter
	header http.Header
	status int
	passed bool // A result has been passed on.
	kept   bytes.Buffer
}

func (w *responseWriter) Header() http.Header { return w.header }

func (w *responseWriter) WriteHeader(status int) { w.status = status }

// Write relies on the SDK to write a result in one piece.
func (w *responseWriter) Write(text []byte) (int, error) {
	if !isResult(text) {
		return w.kept.Write(text)
	}
	w.passed = true
	return len(text), w.body.send(w.status, text)
}

// end writes what was kept. An error gets the id of the request.
func (w *responseWriter) end(id jsonrpc.ID) {
	if w.passed {
		return
	}
	text := w.kept.Bytes()
	contentType := w.header.Get("Content-Type")
	switch {
	case len(text) == 0:
		err := failure(jsonrpc.CodeInternalError, "the server has no response")
		_ = w.body.send(http.StatusOK, respondError(id, err))
	case contentType == "text/event-stream": // which no batch contains
		_ = w.body.sendAs(contentType, w.status, text)
	default:
		_ = w.body.send(w.status, respondError(id, readError(text)))
	}
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
