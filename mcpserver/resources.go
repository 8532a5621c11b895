package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/internal/frontend/resource"
	"gander/tool"
)

// skillsExtension is the extension that has resources/directory/read (SEP-2640). Clients look there for the flag
// directoryRead. The server has no skills.
const skillsExtension = "io.modelcontextprotocol/skills"

// addResources adds the roots of the workspace as resources, and for each root a template for the files below it.
func (s *server) addResources() {
	for _, r := range s.files.Roots() {
		if s.files.ListsDirectories() {
			s.mcp.AddResource(&mcp.Resource{URI: r.URI, Name: r.Name, MIMEType: r.MIME, Description: "A root of the workspace"}, s.read)
		}
		if s.files.ReadsFiles() {
			s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: template(r.URI), Name: r.Name, Description: "A file below the root " + r.Name + ", by its path from there"}, s.read)
		}
	}
	if !s.files.ListsDirectories() {
		return
	}
	if err := mcp.AddReceivingCustomMethod(s.mcp, directoryRead, s.readDirectory); err != nil { // A later SDK knows the method itself.
		panic(fmt.Sprintf("%s: %v", directoryRead, err))
	}
}

// directoryRead is the method that lists the entries of a directory.
const directoryRead = "resources/directory/read"

// template returns the URI template of the files below a root.
func template(root string) string { return strings.TrimSuffix(root, "/") + "/{+path}" }

// requestedURI is the context key of the URI that a client asked for.
type requestedURI struct{}

// normalizeURI is middleware that directs every file URI of resources/read to the method read. The SDK compares URIs with
// those of resources and templates as text, and would not find one that is spelled differently. It is given a URI that it
// knows, and the context has the real one.
func (s *server) normalizeURI(next mcp.MethodHandler) mcp.MethodHandler {
	known := s.files.Roots()[0].URI
	if !s.files.ListsDirectories() {
		known = strings.TrimSuffix(known, "/") + "/any"
	}
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		read, ok := req.(*mcp.ReadResourceRequest)
		if !ok || read.Params == nil || !isFile(read.Params.URI) {
			return next(ctx, method, req)
		}
		other, params := *read, *read.Params
		params.URI, other.Params = known, &params
		return next(context.WithValue(ctx, requestedURI{}, read.Params.URI), method, &other)
	}
}

func isFile(uri string) bool { return len(uri) >= 5 && strings.EqualFold(uri[:5], "file:") }

func (s *server) read(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri, ok := ctx.Value(requestedURI{}).(string)
	if !ok {
		uri = req.Params.URI
	}
	contents, err := s.contents(ctx, req.Session, uri)
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{contents}}, nil
}

// contents reads the resource at uri for a session.
func (s *server) contents(ctx context.Context, session *mcp.ServerSession, uri string) (*mcp.ResourceContents, error) {
	files, err := s.filesOf(ctx, session)
	if err != nil {
		return nil, refused(uri, err)
	}
	c, err := files.Read(ctx, uri)
	if err != nil {
		return nil, refused(uri, err)
	}
	return &mcp.ResourceContents{URI: uri, MIMEType: c.MIME, Text: c.Text, Blob: c.Blob}, nil
}

// directoryParams are the parameters of resources/directory/read.
type directoryParams struct {
	mcp.ParamsBase
	URI    string `json:"uri"`
	Cursor string `json:"cursor"`
}

func (s *server) readDirectory(ctx context.Context, session *mcp.ServerSession, p *directoryParams) (*mcp.ListResourcesResult, error) {
	if p == nil {
		p = new(directoryParams)
	}
	files, err := s.filesOf(ctx, session)
	if err != nil {
		return nil, refused(p.URI, err)
	}
	page, err := files.List(ctx, p.URI, p.Cursor)
	if err != nil {
		return nil, refused(p.URI, err)
	}
	result := &mcp.ListResourcesResult{Resources: []*mcp.Resource{}, NextCursor: page.Next, Cacheable: mcp.Cacheable{CacheScope: "private"}}
	for _, e := range page.Entries {
		r := &mcp.Resource{URI: e.URI, Name: e.Name, MIMEType: e.MIME}
		if e.Size != nil {
			r.Size = *e.Size
		}
		result.Resources = append(result.Resources, r)
	}
	return result, nil
}

// refused returns the protocol's error about a resource that cannot be read. It is an invalid-params error if the client
// should send a different request.
func refused(uri string, err error) error {
	var known *tool.Error
	if !errors.As(err, &known) {
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	switch known.Kind {
	case tool.NotFound, tool.Outside:
		data, err := json.Marshal(map[string]string{"uri": uri})
		if err != nil {
			return err
		}
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Resource not found", Data: data}
	case tool.BadArguments, tool.NotDirectory, tool.Denied:
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: known.Message}
	default:
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: known.Message}
	}
}

// complete completes the path arguments of templates and prompts.
func (s *server) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	found := resource.Completions{Values: []string{}}
	base, encoded, ok := s.completionBase(req.Params)
	if files, err := s.filesOf(ctx, req.Session); ok && err == nil {
		found = files.Complete(ctx, base, req.Params.Argument.Value, encoded)
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: found.Values, HasMore: found.More}}, nil
}

// completionBase returns the directory that an argument is relative to, and whether the argument is part of a URI. It
// reports false if the argument has no completions.
func (s *server) completionBase(p *mcp.CompleteParams) (base string, encoded, ok bool) {
	if p.Argument.Name != "path" {
		return "", false, false
	}
	switch p.Ref.Type {
	case "ref/resource":
		for _, r := range s.files.Roots() {
			if p.Ref.URI == template(r.URI) {
				base, err := resource.Path(r.URI)
				return base, true, err == nil
			}
		}
	case "ref/prompt":
		if s.hasPrompt(p.Ref.Name) {
			return s.base(p.Argument.Value), false, true
		}
	}
	return "", false, false
}
