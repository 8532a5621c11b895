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

// skills is the extension that resources/directory/read belongs to.
const skills = "io.modelcontextprotocol/skills"

// addResources offers the workspace's files: its roots by name, everything below them by a template each.
func (s *server) addResources() {
	for _, r := range s.files.Roots() {
		if s.files.Lists() {
			s.mcp.AddResource(&mcp.Resource{URI: r.URI, Name: r.Name, MIMEType: r.MIME, Description: "A root of the workspace"}, s.read)
		}
		if s.files.Reads() {
			s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: template(r.URI), Name: r.Name, Description: "A file below the root " + r.Name + ", by its path from there"}, s.read)
		}
	}
	if !s.files.Lists() {
		return
	}
	for method, err := range map[string]error{
		"resources/directory/read": mcp.AddReceivingCustomMethod(s.mcp, "resources/directory/read", s.readDirectory),
		"skills/list":              mcp.AddReceivingCustomMethod(s.mcp, "skills/list", listSkills),
		"skills/get":               mcp.AddReceivingCustomMethod(s.mcp, "skills/get", getSkill),
	} {
		if err != nil { // the SDK has come to know the method itself
			panic(fmt.Sprintf("%s: %v", method, err))
		}
	}
}

// template is the URI template of what lies below a root.
func template(root string) string { return strings.TrimSuffix(root, "/") + "/{+path}" }

// asked is the key of the URI that a request has asked for.
type asked struct{}

// anySpelling brings every file URI of resources/read to read, however it is spelled: the SDK would compare it as text
// with the URIs and templates that it knows. It is given one of these instead.
func (s *server) anySpelling(next mcp.MethodHandler) mcp.MethodHandler {
	known := s.files.Roots()[0].URI
	if !s.files.Lists() {
		known = strings.TrimSuffix(known, "/") + "/any"
	}
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		read, ok := req.(*mcp.ReadResourceRequest)
		if !ok || read.Params == nil || !isFile(read.Params.URI) {
			return next(ctx, method, req)
		}
		other, params := *read, *read.Params
		params.URI, other.Params = known, &params
		return next(context.WithValue(ctx, asked{}, read.Params.URI), method, &other)
	}
}

func isFile(uri string) bool { return len(uri) >= 5 && strings.EqualFold(uri[:5], "file:") }

func (s *server) read(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri, ok := ctx.Value(asked{}).(string)
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

// refused returns the protocol's error for a resource that is not given. What another request would mend is said to be
// wrong with this one.
func refused(uri string, err error) error {
	var told *tool.Error
	if !errors.As(err, &told) {
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	switch told.Kind {
	case tool.NotFound, tool.Outside:
		data, err := json.Marshal(map[string]string{"uri": uri})
		if err != nil {
			return err
		}
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Resource not found", Data: data}
	case tool.BadArguments, tool.NotDirectory, tool.Denied:
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: told.Message}
	default:
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: told.Message}
	}
}

// skillList is the result of skills/list, which who reads directories must have as well: there are none.
type skillList struct {
	mcp.ResultBase
	Type   string `json:"resultType,omitempty"`
	TTL    int    `json:"ttlMs"`
	Scope  string `json:"cacheScope"`
	Skills []any  `json:"skills"`
}

type skillParams struct{ mcp.ParamsBase }

func listSkills(_ context.Context, _ *mcp.ServerSession, p *skillParams) (*skillList, error) {
	r := &skillList{Scope: "private", Skills: []any{}}
	if p != nil && p.Meta[mcp.MetaKeyProtocolVersion] != nil {
		r.Type = "complete"
	}
	return r, nil
}

func getSkill(context.Context, *mcp.ServerSession, *skillParams) (*skillList, error) {
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "there is no such skill: this server has none"}
}

// complete completes the paths that templates and prompts take.
func (s *server) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	found := resource.Completions{Values: []string{}}
	base, encoded, ok := s.completes(req.Params)
	if files, err := s.filesOf(ctx, req.Session); ok && err == nil {
		found = files.Complete(ctx, base, req.Params.Argument.Value, encoded)
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: found.Values, HasMore: found.More}}, nil
}

// completes returns the directory that the argument asked about is relative to, and whether it is a part of a URI. It
// reports false for what has no completions.
func (s *server) completes(p *mcp.CompleteParams) (base string, encoded, ok bool) {
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
