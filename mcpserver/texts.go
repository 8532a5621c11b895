package mcpserver

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"strconv"
	"sync"
	"sync/atomic"
)

// longText is the minimum length of a text that [texts] holds.
const longText = 2 << 10

// texts holds the long texts of results while the SDK encodes the results, in which short names
// replace them. The SDK would encode each occurrence of a text, and check and copy it several times
// (mcp.CallToolResult.MarshalJSON): a page of 100 KB would take five times as long.
type texts struct {
	prefix string // of the names; it cannot be guessed
	last   atomic.Int64
	held   sync.Map // JSON strings, as []byte, by the rest of their names
}

// A textsKey is the key of the context of a session that can hold texts.
type textsKey struct{}

func newTexts() *texts { return &texts{prefix: rand.Text()} }

// hold returns a name for a long text, or else the text. A nil *texts holds nothing.
func (t *texts) hold(text string) (name string) {
	if t == nil || len(text) < longText {
		return text
	}
	var quoted bytes.Buffer
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // A string can be encoded.
	number := strconv.FormatInt(t.last.Add(1), 10)
	t.held.Store(number, bytes.TrimSuffix(quoted.Bytes(), []byte("\n")))
	return t.prefix + number
}

// restore appends an encoded result to dst. It replaces the names with the texts, and drops them.
func (t *texts) restore(dst, result []byte) []byte {
	parts := bytes.Split(result, []byte(`"`+t.prefix))
	dst = append(dst, parts[0]...)
	for _, part := range parts[1:] {
		number, rest, _ := bytes.Cut(part, []byte(`"`))
		held, _ := t.held.Load(string(number))
		defer t.held.Delete(string(number)) // It can occur again in this result.
		text, _ := held.([]byte)
		dst = append(append(dst, text...), rest...)
	}
	return dst
}
