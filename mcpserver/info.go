package mcpserver

import (
	"context"
	"encoding/base64"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// icon shows a goose's neck over a line of text. It can be seen on light and on dark backgrounds.
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#5b7f95" stroke-width="2" stroke-linecap="round"><path d="M4 20h16M9 20C15 15 9 11 9 7a3 3 0 0 1 6 0l3 1.500-3 .500"/></svg>`

// implementation returns the description of the server.
func implementation(version string) *mcp.Implementation {
	if version == "" {
		version = "devel"
	}
	return &mcp.Implementation{
		Name:        "gander",
		Title:       "Gander: read-only file tools",
		Description: "Lists, reads, finds and searches files in chosen directories, and cannot reach or change anything else",
		Version:     version,
		Icons:       []mcp.Icon{{Source: "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(icon)), MIMEType: "image/svg+xml", Sizes: []string{"any"}}},
	}
}

// identify is middleware that names the server in every modern result. The SDK would repeat the whole description, with
// its icon; only the result of server/discover needs that.
func identify(info *mcp.Implementation) mcp.Middleware {
	short := &mcp.Implementation{Name: info.Name, Title: info.Title, Version: info.Version}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, req)
			if err != nil || result == nil || method == "server/discover" || !isModern(req) {
				return result, err
			}
			stated := result.GetMeta()
			if stated == nil {
				stated = map[string]any{}
			}
			stated[mcp.MetaKeyServerInfo] = short
			result.SetMeta(stated)
			return result, nil
		}
	}
}

// isModern reports whether a request states its revision, as all do since 2026-07-28.
func isModern(req mcp.Request) bool { return meta(req)[mcp.MetaKeyProtocolVersion] != nil }

// meta returns the metadata of a request. It is nil if the request has no parameters.
func meta(req mcp.Request) map[string]any {
	p := req.GetParams()
	if p == nil || reflect.ValueOf(p).IsNil() {
		return nil
	}
	return p.GetMeta()
}
