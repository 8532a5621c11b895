package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The SDK leaves out the text of a resource if it is empty (mcp.ResourceContents), but the protocol requires it, and strict
// clients fail without it. The types here write it.

// writeEmptyText is middleware that has an empty text of a resource written.
func writeEmptyText(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if r, ok := result.(*mcp.ReadResourceResult); ok && err == nil && len(r.Contents) == 1 && isEmpty(r.Contents[0]) {
			return emptyResult{r}, nil
		}
		return result, err
	}
}

// An emptyResult is the result of resources/read for a resource with an empty text.
type emptyResult struct{ *mcp.ReadResourceResult }

// MarshalJSON implements [json.Marshaler].
func (r emptyResult) MarshalJSON() ([]byte, error) {
	rest := *r.ReadResourceResult
	rest.Contents = []*mcp.ResourceContents{}
	data, err := rest.MarshalJSON()
	if err != nil {
		return nil, err
	}
	contents, err := json.Marshal([]emptyContents{emptyOf(r.Contents[0])})
	// A string in JSON has no quotes that are not escaped, so only the key matches.
	return bytes.Replace(data, []byte(`"contents":[]`), append([]byte(`"contents":`), contents...), 1), err
}

// An emptyResource is a resource with an empty text in a prompt.
type emptyResource struct{ *mcp.EmbeddedResource }

// MarshalJSON implements [json.Marshaler].
func (r emptyResource) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Type     string        `json:"type"`
		Resource emptyContents `json:"resource"`
	}{"resource", emptyOf(r.Resource)})
}

// emptyContents are what [mcp.ResourceContents] hold beside an empty text.
type emptyContents struct {
	URI      string `json:"uri"`
	MIMEType string `json:"mimeType,omitempty"`
	Text     string `json:"text"`
}

func isEmpty(c *mcp.ResourceContents) bool { return c.Text == "" && c.Blob == nil }

func emptyOf(c *mcp.ResourceContents) emptyContents {
	return emptyContents{URI: c.URI, MIMEType: c.MIMEType}
}

// embed returns contents as a part of a prompt.
func embed(c *mcp.ResourceContents) mcp.Content {
	embedded := &mcp.EmbeddedResource{Resource: c}
	if isEmpty(c) {
		return emptyResource{embedded}
	}
	return embedded
}
