package mcpserver

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// texts holds the texts of results while the SDK encodes the results, in which a short name stands for each text. The SDK would
// encode a text for each place where it stands, and then check and copy it for every level around it
// (mcp.CallToolResult.MarshalJSON).
type texts struct {
	prefix string // of the names. No text of a result holds it, because nobody can guess it.
	mu     sync.Mutex
	last   int
	held   map[string][][]byte // JSON strings by the names, in parts
}

func newTexts() *texts { return &texts{prefix: rand.Text(), held: make(map[string][][]byte)} }

const (
	// pieceLen is how many bytes of a text are encoded at once.
	pieceLen = 16 << 10
	// longText is the length from which two goroutines encode a text.
	longText = 1 << 20
)

// hold is middleware that puts names in the place of the texts of tools' results.
func (t *texts) hold(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if r, ok := result.(*mcp.CallToolResult); ok && err == nil {
			for _, c := range r.Content {
				if c, ok := c.(*mcp.TextContent); ok {
					name := t.add(c.Text)
					if output, ok := r.StructuredContent.(textOutput); ok && output.Content == c.Text {
						r.StructuredContent = textOutput{name}
					}
					c.Text = name
				}
			}
		}
		return result, err
	}
}

// add holds a text and returns its name.
func (t *texts) add(text string) (name string) {
	quoted := quote(text)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	name = t.prefix + strconv.Itoa(t.last)
	t.held[name] = quoted
	return name
}

// quote returns a text as a JSON string, in parts. Two goroutines encode a long one.
func quote(text string) [][]byte {
	var first, second []byte
	if len(text) < longText {
		first = encode(text)
	} else {
		half := runeStart(text, len(text)/2)
		var encoding sync.WaitGroup
		encoding.Go(func() { first = encode(text[:half]) })
		second = encode(text[half:])
		encoding.Wait()
	}
	return [][]byte{[]byte(`"`), first, second, []byte(`"`)}
}

// encode returns a text as a JSON string without the quotes. It encodes pieces of the text, so that a long one is not copied as a
// whole.
func encode(text string) []byte {
	size := len(text)
	for _, escaped := range []string{"\n", "\t", `"`, `\`} {
		size += strings.Count(text, escaped)
	}
	encoded := make([]byte, 0, size)
	var piece bytes.Buffer
	e := json.NewEncoder(&piece)
	e.SetEscapeHTML(false)
	for len(text) > 0 {
		end := runeStart(text, min(len(text), pieceLen))
		piece.Reset()
		_ = e.Encode(text[:end]) // A string can be encoded.
		encoded = append(encoded, piece.Bytes()[len(`"`):piece.Len()-len("\"\n")]...)
		text = text[end:]
	}
	return encoded
}

// runeStart returns the index where the character at index i of a text begins.
func runeStart(text string, i int) int {
	for back := 1; back < utf8.UTFMax && i < len(text) && !utf8.RuneStart(text[i]); back++ {
		i--
	}
	return i
}

// restore returns an encoded result in pieces, with the texts in the place of their names. They are held no longer.
func (t *texts) restore(result []byte) (pieces [][]byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	names := make(map[string]bool)
	for {
		before, after, found := bytes.Cut(result, []byte(`"`+t.prefix))
		pieces = append(pieces, before)
		if !found {
			break
		}
		number, rest, _ := bytes.Cut(after, []byte(`"`))
		name := t.prefix + string(number)
		names[name] = true
		pieces = append(pieces, t.held[name]...)
		result = rest
	}
	for name := range names {
		delete(t.held, name)
	}
	return pieces
}
