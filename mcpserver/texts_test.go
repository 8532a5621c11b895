package mcpserver

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestTexts checks that results are encoded as by the SDK, and that nothing is held afterwards.
func TestTexts(t *testing.T) {
	long := strings.Repeat("\"é\\\n\u2028<😀>\x7f", longText/16)
	for name, parts := range map[string][]string{
		"nothing":        nil,
		"an empty text":  {""},
		"a long text":    {long},
		"bytes":          {strings.Repeat("a\xffb\xe2\x80", longText)},
		"two texts":      {long, "b", "x" + long},
		"the same twice": {long, long},
	} {
		result := func() *mcp.CallToolResult {
			r := &mcp.CallToolResult{Content: []mcp.Content{}}
			for _, text := range parts {
				r.Content = append(r.Content, &mcp.TextContent{Text: text})
			}
			r.StructuredContent = contentOutput(r.Content)
			return r
		}
		texts := newTexts()
		handler := holdTexts(func(context.Context, string, mcp.Request) (mcp.Result, error) {
			return result(), nil
		})
		held, err := handler(context.WithValue(t.Context(), textsKey{}, texts), "tools/call", nil)
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := json.Marshal(held)
		if err != nil {
			t.Fatal(err)
		}
		got := string(texts.restore(nil, encoded))
		want, err := json.Marshal(result())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(decoded(t, want), decoded(t, []byte(got))); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
		if strings.ContainsAny(got, "\n\u2028") {
			t.Errorf("%s: the result is on several lines", name)
		}
		if len(texts.held) > 0 {
			t.Errorf("%s: %d texts are still held", name, len(texts.held))
		}
	}
}

func decoded(t *testing.T, data []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v: %.100s", err, data)
	}
	return v
}
