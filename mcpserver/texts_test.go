package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/internal/testkit"
)

// TestTexts checks that results are encoded as the SDK would, and that no text is held afterwards.
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
		encode := func(held *texts) []byte {
			r := &mcp.CallToolResult{Content: []mcp.Content{}}
			for _, text := range parts {
				r.Content = append(r.Content, &mcp.TextContent{Text: held.hold(text)})
			}
			r.StructuredContent = map[string]any{"content": r.Content}
			encoded, err := json.Marshal(r)
			testkit.Must(t, err)
			return encoded
		}
		texts := &texts{prefix: "held:"}
		got, want := string(texts.restore(nil, encode(texts))), encode(nil)
		if diff := cmp.Diff(decoded(t, want), decoded(t, []byte(got))); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
		if strings.ContainsAny(got, "\n\u2028") {
			t.Errorf("%s: the result is on several lines", name)
		}
		texts.held.Range(func(any, any) bool {
			t.Errorf("%s: a text is still held", name)
			return false
		})
	}
}

func decoded(t *testing.T, data []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v: %.100s", err, data)
	}
	return v
}
