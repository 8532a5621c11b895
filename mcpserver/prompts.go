package mcpserver

import (
	"context"
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/internal/frontend/resource"
	"gander/internal/terminal"
)

// addPrompts adds prompts for frequent questions about a workspace. Each has a path as its argument.
func (s *server) addPrompts() {
	path := func(of string) []*mcp.PromptArgument {
		return []*mcp.PromptArgument{{Name: "path", Description: "The " + of + ", from the first root", Required: true}}
	}
	if s.hasPrompt("explain") {
		s.mcp.AddPrompt(&mcp.Prompt{Name: "explain", Title: "Explain a file", Description: "Explain what a file is for and how it works", Arguments: path("file")}, s.explain)
	}
	if s.hasPrompt("overview") {
		s.mcp.AddPrompt(&mcp.Prompt{Name: "overview", Title: "Overview of a directory", Description: "Say what a directory holds and where to begin reading", Arguments: path("directory")}, s.overview)
	}
}

// hasPrompt reports whether there is a prompt of that name and the resources that it needs.
func (s *server) hasPrompt(name string) bool {
	return name == "explain" && s.files.ReadsFiles() || name == "overview" && s.files.ListsDirectories()
}

// base returns the directory that a path from a person is relative to.
func (s *server) base(path string) string {
	if filepath.IsAbs(filepath.FromSlash(path)) {
		return ""
	}
	return s.ts.Roots()[0]
}

// path returns the absolute path that the argument of a prompt names.
func (s *server) path(req *mcp.GetPromptRequest) (string, error) {
	path := req.Params.Arguments["path"]
	if path == "" {
		return "", &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the argument path is missing; give one, from the first root"}
	}
	return filepath.Join(s.base(path), filepath.FromSlash(path)), nil
}

func (s *server) explain(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	path, err := s.path(req)
	if err != nil {
		return nil, err
	}
	uri := resource.URI(path)
	contents, err := s.contents(ctx, req.Session, uri)
	if err != nil {
		return nil, err
	}
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
		{Role: "user", Content: embed(contents)},
		{Role: "user", Content: &mcp.TextContent{Text: "Explain this file, " + terminal.Line(path) + ": what it is for, how it works, and what else of the workspace it depends on. Read what you need to know."}},
	}}, nil
}

func (s *server) overview(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	path, err := s.path(req)
	if err != nil {
		return nil, err
	}
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
		{Role: "user", Content: &mcp.TextContent{Text: "List the directory " + terminal.Line(path) + " and say what it holds: its purpose, its parts, and where to begin reading. Look into subdirectories and files where their names do not tell enough."}},
	}}, nil
}
