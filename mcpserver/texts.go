package mcpserver

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"sync"
)

// longText is the minimum length of a string that texts stores.
const longText = 2 << 10

// texts holds long strings while the SDK encodes results with short names in their place. The SDK
// would encode each occurrence of a string, and check and copy it several times
// (mcp.CallToolResult.MarshalJSON). A page of 100 KB would take five times as long.
type texts struct {
	prefix string   // of the names; it cannot be guessed
	held   sync.Map // JSON strings, as []byte, by the rest of their names
}

// A textsKey is the context key for the [*texts] of a session.
type textsKey struct{}

// hold stores a long string and returns its name. It returns a short string unchanged, and any
// string if t is nil.
func (t *texts) hold(text string) (name string) {
	if t == nil || len(text) < longText {
		return text
	}
	var quoted bytes.Buffer
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // A string can be encoded.
	rest := rand.Text()
	t.held.Store(rest, bytes.TrimSuffix(quoted.Bytes(), []byte("\n")))
	return t.prefix + rest
}

// restore appends an encoded result to dst, with the stored strings for their names, and releases
// these strings.
func (t *texts) restore(dst, result []byte) []byte {
	parts := bytes.Split(result, []byte(`"`+t.prefix))
	dst = append(dst, parts[0]...)
	for _, part := range parts[1:] {
		name, rest, _ := bytes.Cut(part, []byte(`"`))
		held, _ := t.held.Load(string(name))
		defer t.held.Delete(string(name)) // It can occur again in this result.
		text, _ := held.([]byte)
		dst = append(append(dst, text...), rest...)
	}
	return dst
}
