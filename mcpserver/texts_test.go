package mcpserver

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestTexts checks that a result whose texts were held is what the SDK encodes, and that nothing is held then.
func TestTexts(t *testing.T) {
	long := strings.Repeat("\"é\\\n\u2028<😀>\x7f", 2*pieceLen/16)
	for name, make := range map[string]func() *mcp.CallToolResult{
		"nothing":         func() *mcp.CallToolResult { return &mcp.CallToolResult{Content: []mcp.Content{}} },
		"an empty text":   func() *mcp.CallToolResult { return textResult("") },
		"a long text":     func() *mcp.CallToolResult { return textResult(long) },
		"two goroutines":  func() *mcp.CallToolResult { return textResult("x"+strings.Repeat(long, 1+longText/len(long)), long) },
		"another offset":  func() *mcp.CallToolResult { return textResult("x" + long) },
		"bytes":           func() *mcp.CallToolResult { return textResult("a\xffb\xe2\x80") },
		"continuations":   func() *mcp.CallToolResult { return textResult(strings.Repeat("\x80", 2*pieceLen)) },
		"two texts":       func() *mcp.CallToolResult { return textResult(long, "b") },
		"the same twice":  func() *mcp.CallToolResult { return textResult("b", "b") },
		"what looks held": func() *mcp.CallToolResult { return textResult(`"content"`, `{"held":1}`) },
		"an image": func() *mcp.CallToolResult {
			blocks := []mcp.Content{&mcp.ImageContent{Data: []byte("data"), MIMEType: "image/png"}, &mcp.TextContent{Text: "note"}}
			return &mcp.CallToolResult{Content: blocks, StructuredContent: contentOutput(blocks)}
		},
		"an error": func() *mcp.CallToolResult {
			r := textResult("no")
			r.IsError, r.StructuredContent = true, nil
			return r
		},
		"other structure": func() *mcp.CallToolResult {
			r := textResult(`{"a":1}`)
			r.StructuredContent = json.RawMessage(`{"a":1}`)
			return r
		},
	} {
		t.Run(name, func(t *testing.T) {
			texts := newTexts()
			handler := texts.hold(func(context.Context, string, mcp.Request) (mcp.Result, error) { return make(), nil })
			result, err := handler(t.Context(), "tools/call", nil)
			if err != nil {
				t.Fatal(err)
			}
			encoded, err := json.Marshal(result)
			if err != nil {
				t.Fatal(err)
			}
			got := slices.Concat(texts.restore(encoded)...)
			want, err := json.Marshal(make())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(decoded(t, want), decoded(t, got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if strings.ContainsAny(string(got), "\n\u2028") {
				t.Error("the result is on several lines")
			}
			if len(texts.held) > 0 {
				t.Errorf("%d texts are still held", len(texts.held))
			}
		})
	}
}

// textResult returns the result of a tool with [tool.Spec.ContentOutput] whose answer is texts.
func textResult(texts ...string) *mcp.CallToolResult {
	r := new(mcp.CallToolResult)
	for _, text := range texts {
		r.Content = append(r.Content, &mcp.TextContent{Text: text})
	}
	r.StructuredContent = contentOutput(r.Content)
	return r
}

func decoded(t *testing.T, data []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v: %.100s", err, data)
	}
	return v
}
