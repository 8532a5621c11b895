//go:build unix

package workspace_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"gander/internal/files/ignore"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/search/match"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A searchTool makes package search one of the tools that are tested here. Its answers are lines of paths and text, and
// "cannot read" where a part is missing.
type searchTool struct {
	w    *workspace.Workspace
	find bool
}

func (s searchTool) Spec() tool.Spec {
	if s.find {
		return tool.Spec{ID: "test/find", Name: "find"}
	}
	return tool.Spec{ID: "test/search", Name: "search"}
}

func (s searchTool) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	var args struct {
		Path    string
		Workers int
		Newest  bool
	}
	if err := json.Unmarshal(c.Args, &args); err != nil {
		return tool.Result{}, err
	}
	start, err := s.w.Find(args.Path)
	if err != nil {
		return tool.Result{}, shared.NewError(err, err.Error())
	}
	scope := search.Scope{Ignore: ignore.Options{Git: true, Tools: search.ToolIgnoreFiles()}}
	if args.Newest {
		scope.Order = walk.NewestFirst
	}
	var b strings.Builder
	if s.find {
		for e, err := range search.Find(ctx, s.w, start, search.FindOptions{Scope: scope}) {
			if e.Dir == nil {
				return tool.Result{}, shared.NewError(err, err.Error())
			}
			tellTest(&b, e.Path(), err)
		}
		return tool.Result{Parts: tool.Text(b.String())}, nil
	}
	m, err := match.Compile(".", match.Options{})
	if err != nil {
		return tool.Result{}, err
	}
	for r, err := range search.Search(ctx, s.w, start, m, search.Options{Scope: scope, Workers: args.Workers}) {
		if err != nil && r.Path == "" {
			return tool.Result{}, shared.NewError(err, err.Error())
		}
		tellTest(&b, fmt.Sprintf("%s:%d:%s", r.Path, r.Line.Number, r.Line.Text), err)
	}
	return tool.Result{Parts: tool.Text(b.String())}, nil
}

func tellTest(b *strings.Builder, what string, err error) {
	if err != nil {
		what = "cannot read " + what
	}
	b.WriteString(what + "\n")
}
