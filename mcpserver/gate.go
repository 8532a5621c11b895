package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	// maxOpenCalls is the maximum number of unanswered requests. It is larger than the number of
	// concurrent calls, so that a cancellation is read while others wait.
	maxOpenCalls = 256
	// maxOpenBytes is the maximum size of the unanswered requests, unless a single one is larger.
	maxOpenBytes = 4 << 20
)

// A gate is the input of the SDK's transport: the lines of a client that are messages. It handles
// what the SDK does not in v1.8.0:
//
//   - It ends the session at the first line that it cannot decode: go-sdk issue 1209, tested by the
//     transcript "faults" and by TestLongLine.
//   - It drops the missing responses when its input ends: go-sdk issue 1061, tested by the
//     transcripts "ended_input*".
//   - It reads without bound (Connection.acceptRequest), tested by TestUnansweredAreBounded.
//   - It does not respond to a call with an id that is in use (Connection.acceptRequest), tested by
//     the transcript "id_in_use".
//   - In a batch it waits for the responses to notifications: go-sdk issue 1256, tested by the
//     transcript "batch".
type gate struct {
	ctx     context.Context
	in      *bufio.Reader
	client  *output
	batches bool   // the revision of the session has batches
	pending []byte // for the SDK

	mu       sync.Mutex
	calls    map[jsonrpc.ID]openCall
	open     int           // the number of calls whose response has not been written
	size     int           // of these calls
	answered chan struct{} // holds a value after a response was written
}

// An openCall is an unanswered request.
type openCall struct {
	size              int
	batched, canceled bool
}

func newGate(ctx context.Context, in io.Reader, client *output) *gate {
	return &gate{
		ctx: ctx, in: bufio.NewReaderSize(in, 64<<10), client: client,
		calls: make(map[jsonrpc.ID]openCall), answered: make(chan struct{}, 1),
	}
}

// Close implements [io.Closer]. It leaves the underlying reader open.
func (g *gate) Close() error { return nil }

// Read implements [io.Reader]. At the end of the input it waits until every call is answered.
func (g *gate) Read(p []byte) (int, error) {
	for len(g.pending) == 0 {
		line, ok, err := readLine(g.in, maxMessage)
		switch {
		case err != nil:
			if ended := g.wait(func() bool { return g.open == 0 }); ended != nil {
				return 0, ended
			}
			return 0, err
		case !ok:
			err = g.client.refuse(refuse(nil, jsonrpc.CodeParseError,
				"parse error: the line has more than %d bytes; send less in one message", maxMessage))
		default:
			err = g.admitLine(bytes.TrimSpace(line))
		}
		if err != nil {
			return 0, err
		}
	}
	n := copy(p, g.pending)
	g.pending = g.pending[n:]
	return n, nil
}

func (g *gate) admitLine(text []byte) error {
	switch {
	case len(text) == 0:
		return nil
	case isBatch(text):
		return g.admitBatch(text)
	}
	msg, err := g.admit(text, false)
	if msg != nil {
		g.pending = append(text, '\n')
	}
	return err
}

// admitBatch admits the calls of a batch as one, and its other members separately after them.
func (g *gate) admitBatch(text []byte) error {
	members, refused := splitBatch(text)
	if refused == nil && !g.batches {
		refused = refuse(nil, jsonrpc.CodeInvalidRequest,
			"the revision of this session has no batches; send one message a line")
	}
	if refused != nil {
		return g.client.refuse(refused)
	}
	var calls, others [][]byte
	for _, text := range members {
		msg, err := g.admit(text, true)
		if err != nil {
			return err
		}
		if request, ok := msg.(*jsonrpc.Request); ok && request.IsCall() {
			calls = append(calls, text)
		} else if msg != nil {
			others = append(others, text, []byte("\n"))
		}
	}
	if len(calls) > 0 {
		g.pending = append(append([]byte("["), bytes.Join(calls, []byte(","))...), "]\n"...)
	}
	g.pending = append(g.pending, bytes.Join(others, nil)...)
	return nil
}

// admit decodes a message. If it is a call, admit waits while too many are unanswered and then
// counts it. If text is not a message, or its id is in use, admit refuses it and returns nil.
func (g *gate) admit(text []byte, batched bool) (jsonrpc.Message, error) {
	msg, refused := decodeMessage(text)
	request, ok := msg.(*jsonrpc.Request)
	switch {
	case ok && request.IsCall():
		if request.Method == "initialize" {
			g.batches = hasBatches(requestedRevision(request.Params))
		}
		room := func() bool {
			return g.open == 0 || g.open < maxOpenCalls && g.size+len(text) <= maxOpenBytes
		}
		if err := g.wait(room); err != nil {
			return nil, err
		}
		if !g.begin(request.ID, openCall{size: len(text), batched: batched}) {
			msg, refused = nil, refuse(nil, jsonrpc.CodeInvalidRequest,
				"the id is that of a request still under way")
		}
	case ok && request.Method == "notifications/cancelled":
		g.cancel(request.Params)
	}
	if refused != nil {
		return nil, g.client.refuse(refused)
	}
	return msg, nil
}

// requestedRevision returns the revision that a handshake asks for.
func requestedRevision(params json.RawMessage) string {
	var p struct {
		Revision string `json:"protocolVersion"`
	}
	_ = json.Unmarshal(params, &p) // The SDK refuses other parameters.
	return p.Revision
}

// wait returns nil when condition becomes true, or why ctx ended. It is called by one goroutine.
func (g *gate) wait(condition func() bool) error {
	for {
		g.mu.Lock()
		done := condition()
		g.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-g.answered:
		case <-g.ctx.Done():
			return context.Cause(g.ctx)
		}
	}
}

// begin counts a call. It reports false if the id is in use.
func (g *gate) begin(id jsonrpc.ID, call openCall) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, found := g.calls[id]; found {
		return false
	}
	g.calls[id] = call
	g.open++
	g.size += call.size
	return true
}

// cancel marks the call that a notification names, if it is unanswered.
func (g *gate) cancel(params json.RawMessage) {
	var p struct {
		ID any `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	id, err := jsonrpc.MakeID(p.ID)
	if err != nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if call, found := g.calls[id]; found {
		call.canceled = true
		g.calls[id] = call
	}
}

// close frees the id of a call before its response is written: the client can use the id again as
// soon as it has read the response.
func (g *gate) close(id jsonrpc.ID) openCall {
	g.mu.Lock()
	defer g.mu.Unlock()
	call := g.calls[id]
	delete(g.calls, id)
	return call
}

// written ends the count of a closed call.
func (g *gate) written(call openCall) {
	g.mu.Lock()
	g.open--
	g.size -= call.size
	g.mu.Unlock()
	select {
	case g.answered <- struct{}{}:
	default:
	}
}
