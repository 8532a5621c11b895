package mcpserver

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// longText is the minimum length of a text that [texts] holds.
const longText = 2 << 10

// texts holds the long texts of results while the SDK encodes the results, in which short names
// replace them. The SDK would encode each occurrence of a text, and check and copy it several times
// (mcp.CallToolResult.MarshalJSON): a page of 100 KB would take five times as long.
type texts struct {
	prefix string // of the names; it cannot be guessed
	mu     sync.Mutex
	last   int
	held   map[string][]byte // JSON strings
}

type textsKey struct{}

func newTexts() *texts { return &texts{prefix: rand.Text(), held: make(map[string][]byte)} }

// holdTexts is middleware that replaces the long texts of results with names.
func holdTexts(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		t, held := ctx.Value(textsKey{}).(*texts)
		r, called := result.(*mcp.CallToolResult)
		if !held || !called || err != nil {
			return result, err
		}
		for _, c := range r.Content {
			if c, ok := c.(*mcp.TextContent); ok && len(c.Text) >= longText {
				name := t.add(c.Text)
				if output, ok := r.StructuredContent.(textOutput); ok && output.Content == c.Text {
					r.StructuredContent = textOutput{name}
				}
				c.Text = name
			}
		}
		return result, nil
	}
}

// add holds a text and returns its name.
func (t *texts) add(text string) (name string) {
	var quoted bytes.Buffer
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // A string can be encoded.
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	name = t.prefix + strconv.Itoa(t.last)
	t.held[name] = bytes.TrimSuffix(quoted.Bytes(), []byte("\n"))
	return name
}

// restore appends an encoded result to dst. It replaces the names with the texts, and drops them.
func (t *texts) restore(dst, result []byte) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	var names []string
	for {
		before, after, found := bytes.Cut(result, []byte(`"`+t.prefix))
		dst = append(dst, before...)
		if !found {
			break
		}
		number, rest, _ := bytes.Cut(after, []byte(`"`))
		name := t.prefix + string(number)
		names = append(names, name)
		dst = append(dst, t.held[name]...)
		result = rest
	}
	for _, name := range names {
		delete(t.held, name)
	}
	return dst
}
