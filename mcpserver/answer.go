package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// answer responds to the message in a body. Notifications have no effect without sessions.
func (h *handler) answer(w http.ResponseWriter, r *http.Request, m message) {
	request := m.request()
	switch {
	case m.refused != nil:
		revision := r.Header.Get("Mcp-Protocol-Version")
		_ = writeAs(w, jsonType, refusalStatus(m.refused, revision), respondError(m.id, m.refused))
	case request == nil:
		w.WriteHeader(http.StatusAccepted)
	default:
		h.serveRequest(w, r, request)
	}
}

// refusalStatus returns the status for a refused message, which is the one that the SDK would use.
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

func (h *handler) serveRequest(w http.ResponseWriter, r *http.Request, request *jsonrpc.Request) {
	response := &responseWriter{client: w, header: make(http.Header), status: http.StatusOK}
	defer func() {
		if fault := recover(); fault != nil { // It ends one request, not the process.
			h.options.Logger.Error("fault in a call", "fault", fault, "stack", string(debug.Stack()))
		}
		response.end(request.ID)
	}()
	r = r.WithContext(r.Context()) // a copy
	r.Body = io.NopCloser(bytes.NewReader(encodeRequest(request)))
	h.sdk.ServeHTTP(response, r)
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

const jsonType = "application/json"

func writeAs(w http.ResponseWriter, contentType string, status int, text []byte) error {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "no-cache, no-transform")
	w.WriteHeader(status)
	_, err := w.Write(text)
	return err
}

// A responseWriter is where the SDK writes the response to a request. It passes on a result at
// once, whose memory is reserved only until then. Anything else is short, and is kept.
type responseWriter struct {
	client http.ResponseWriter
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
	return len(text), writeAs(w.client, jsonType, w.status, text)
}

// end writes what was kept. An error gets the id of the request.
func (w *responseWriter) end(id jsonrpc.ID) {
	if w.passed {
		return
	}
	text, contentType := w.kept.Bytes(), w.header.Get("Content-Type")
	switch {
	case len(text) == 0:
		err := failure(jsonrpc.CodeInternalError, "the server has no response")
		contentType, w.status, text = jsonType, http.StatusOK, respondError(id, err)
	case contentType != "text/event-stream":
		contentType, text = jsonType, respondError(id, readError(text))
	}
	_ = writeAs(w.client, contentType, w.status, text)
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
