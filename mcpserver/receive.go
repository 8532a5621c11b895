package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// receive passes messages to Read until the input or the session ends.
func (c *conn) receive(in io.Reader) {
	lines := bufio.NewReaderSize(in, 64<<10)
	for {
		line, ok, err := readLine(lines, maxMessage)
		switch {
		case err != nil:
			_ = c.acquire(maxOpen) // Every request is answered, or the session has ended.
		case !ok:
			err = c.refuse(refuse(nil, jsonrpc.CodeParseError,
				"parse error: the line has more than %d bytes; send less in one message", maxMessage))
		default:
			err = c.receiveLine(bytes.TrimSpace(line))
		}
		if err != nil {
			c.end(err)
			return
		}
	}
}

func (c *conn) receiveLine(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	if !isBatch(text) {
		return c.receiveMessage(text, nil)
	}
	members, refused := splitBatch(text)
	if refused == nil && !c.batches {
		refused = refuse(nil, jsonrpc.CodeInvalidRequest,
			"the revision of this session has no batches; send one message a line")
	}
	if refused != nil {
		return c.refuse(refused)
	}
	b := &batch{left: 1}
	for _, text := range members {
		if err := c.receiveMessage(text, b); err != nil {
			return err
		}
	}
	return c.writeBatch(b, nil)
}

// receiveMessage passes a message to Read. It first waits while too many calls are unanswered.
func (c *conn) receiveMessage(text []byte, b *batch) error {
	msg, refused := decodeMessage(text)
	request, ok := msg.(*jsonrpc.Request)
	switch {
	case refused != nil:
		return c.refuse(refused)
	case msg == nil:
		return nil
	case ok && request.Method == "notifications/cancelled":
		c.cancel(request.Params)
	case ok && request.IsCall():
		if request.Method == "initialize" {
			c.batches = hasBatches(requestedRevision(request.Params))
		}
		size := max(len(text), minCall)
		if err := c.acquire(size); err != nil {
			return err
		}
		if !c.begin(request.ID, &call{size: size, batch: b}) {
			c.release(size)
			return c.refuse(refuse(nil, jsonrpc.CodeInvalidRequest,
				"the id is that of a request still under way"))
		}
	}
	select {
	case c.messages <- msg:
		return nil
	case <-c.ctx.Done():
		return context.Cause(c.ctx)
	}
}

// requestedRevision returns the revision that a handshake asks for.
func requestedRevision(params json.RawMessage) string {
	var p struct {
		Revision string `json:"protocolVersion"`
	}
	_ = json.Unmarshal(params, &p) // The SDK refuses other parameters.
	return p.Revision
}

// acquire waits until size more bytes can be unanswered. It is called by one goroutine.
func (c *conn) acquire(size int) error {
	for {
		c.mu.Lock()
		free := c.open+size <= maxOpen
		if free {
			c.open += size
		}
		c.mu.Unlock()
		if free {
			return nil
		}
		select {
		case <-c.answered:
		case <-c.ctx.Done():
			return context.Cause(c.ctx)
		}
	}
}

// release ends what acquire began.
func (c *conn) release(size int) {
	c.mu.Lock()
	c.open -= size
	c.mu.Unlock()
	select {
	case c.answered <- struct{}{}:
	default:
	}
}

// begin adds a call. It reports false if the id is in use.
func (c *conn) begin(id jsonrpc.ID, added *call) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls[id] != nil {
		return false
	}
	c.calls[id] = added
	if added.batch != nil {
		added.batch.left++
	}
	return true
}

// cancel marks the call that a notification names, if it is unanswered.
func (c *conn) cancel(params json.RawMessage) {
	var p struct {
		ID any `json:"requestId"`
	}
	_ = json.Unmarshal(params, &p)
	id, err := jsonrpc.MakeID(p.ID)
	c.mu.Lock()
	defer c.mu.Unlock()
	if canceled := c.calls[id]; err == nil && canceled != nil {
		canceled.canceled = true
	}
}

// readLine returns the next line without its line feed, in memory of its own. It reports false for
// a line that is longer than limit, which it does not keep. The last line can lack its line feed;
// the error after it is [io.EOF].
func readLine(in *bufio.Reader, limit int) (line []byte, ok bool, err error) {
	length := 0
	for {
		part, err := in.ReadSlice('\n')
		if length += len(part); length <= limit+1 {
			line = append(line, part...)
		} else {
			line = nil
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && length > 0:
			err = nil
		}
		return line, length <= limit+1, err
	}
}
