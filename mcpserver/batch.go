package mcpserver

import (
	"bytes"
	"fmt"
)

// maxHeld is the size of the responses in batches that are not complete, in bytes, above which
// further responses are errors.
const maxHeld = 16 << 20

// A pendingBatch collects the responses to the messages of a line.
type pendingBatch struct {
	left      int // messages that have not been handled
	responses [][]byte
}

// finish ends the handling of a message, and writes the response, if not nil. The responses of a
// batch are written once all its messages have been handled.
func (c *conn) finish(b *pendingBatch, response []byte) error {
	if b != nil {
		response = c.collect(b, response)
	}
	if response == nil {
		return nil
	}
	return c.writeLine(response)
}

// collect adds the response to a message, if any, to its batch. After the last message it returns
// the responses, if any.
func (c *conn) collect(b *pendingBatch, response []byte) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if response != nil {
		b.responses = append(b.responses, response)
		c.held += len(response)
	}
	b.left--
	if b.left > 0 || b.responses == nil {
		return nil
	}
	for _, held := range b.responses {
		c.held -= len(held)
	}
	return fmt.Appendf(nil, "[%s]", bytes.Join(b.responses, []byte(",")))
}
