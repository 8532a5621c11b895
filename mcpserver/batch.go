package mcpserver

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxBatch is how many messages a batch may hold.
const maxBatch = 64

// A batch is a group of messages that came as one JSON array and whose answers go back as one. Revision 2025-03-26
// has them; they are taken in any.
type batch struct {
	mu      sync.Mutex
	missing int
	answers []byte
}

// add takes the answer to one of the messages, nil where it gets none, and returns the array once it is complete. It
// returns nil before, and where there is nothing to answer at all.
func (b *batch) add(answer []byte) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if answer != nil {
		b.answers = append(append(b.answers, ','), answer...)
	}
	b.missing--
	if b.missing > 0 || len(b.answers) == 0 {
		return nil
	}
	b.answers[0] = '['
	return append(b.answers, ']')
}

// parseBatch returns the members of a JSON array.
func parseBatch(text []byte) []message {
	var members []json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return []message{fault(jsonrpc.CodeInvalidRequest, err.Error())}
	}
	if len(members) == 0 || len(members) > maxBatch {
		return []message{fault(jsonrpc.CodeInvalidRequest, fmt.Sprintf("a batch holds 1 to %d messages, this one %d", maxBatch, len(members)))}
	}
	messages := make([]message, len(members))
	b := new(batch)
	for i, m := range members {
		messages[i] = parseOne(m)
		messages[i].batch = b
		if messages[i].wantsAnswer() {
			b.missing++
		}
	}
	return messages
}
