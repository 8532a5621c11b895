package library

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/testkit"
	"gander/mcpserver"
	"gander/tool"
)

// family is a tool of a family that gander does not know. It holds what Spec says of it, and explains one path.
type family struct {
	spec    tool.Spec
	explain func(path string) (tool.Reason, error)
}

func (f family) Spec() tool.Spec { return f.spec }

func (f family) Call(context.Context, tool.Call) (tool.Result, error) {
	return tool.Result{Parts: []tool.Part{
		{Type: tool.TextPart, Text: "called " + f.spec.Name},
		{Type: tool.ImagePart, Data: []byte("pixels"), MIMEType: "image/png"},
	}}, nil
}

func (f family) Explain(_ context.Context, path string, _ tool.Budget) (tool.Reason, error) {
	return f.explain(path)
}

// families returns a tool that reads files and one that lists directories. The first explains every path, the second none.
func families() []tool.Tool {
	input := json.RawMessage(`{"type":"object","properties":{"where":{"type":"string"}},"required":["where"],"additionalProperties":false}`)
	return []tool.Tool{
		family{
			tool.Spec{ID: "sixth/open", Name: "open", Description: "Opens.", Hint: "what the sixth family opens", Input: input, PathArgument: "where", Resource: tool.FileResource},
			func(path string) (tool.Reason, error) {
				return tool.Reason{Cause: tool.CauseHidden, Rule: "by the sixth family", At: path}, nil
			},
		},
		family{
			tool.Spec{ID: "sixth/show", Name: "show", Description: "Shows.", Hint: "what the sixth family shows", Input: input, PathArgument: "where", Resource: tool.DirectoryResource},
			func(string) (tool.Reason, error) {
				return tool.Reason{}, &tool.Error{Kind: tool.Failed, Message: "cannot explain"}
			},
		},
	}
}

func openFamilies(t *testing.T, words ...string) *gander.Toolset {
	root := t.TempDir()
	testkit.Must(t, os.WriteFile(filepath.Join(root, "f.txt"), []byte("content of f"), 0o600))
	return testkit.Open(t, gander.Options{Roots: []string{root}, Tools: words, More: families()})
}

// TestFamilyInLibrary: a family that an embedding program defines is chosen, named, called and explained like gander's own.
func TestFamilyInLibrary(t *testing.T) {
	toolset := openFamilies(t, "codex", "gemini", "forge", "toolkit", "sixth")
	sixth, err := toolset.Select("sixth")
	testkit.Must(t, err)
	if defs := sixth.Definitions(); len(defs) != 2 || defs[0].Name != "open" || defs[1].Name != "show" {
		t.Errorf("definitions %v", defs)
	}
	result, err := toolset.Call(t.Context(), "sixth/open", tool.Call{})
	if err != nil || result.Text() != "called open\n[image: image/png, 6 bytes]" {
		t.Errorf("called: %q, %v", result.Text(), err)
	}
	reasons, err := toolset.Why(t.Context(), "f.txt")
	testkit.Must(t, err)
	causes := map[string]string{}
	for _, r := range reasons {
		causes[r.Tool] = r.Cause
	}
	explained := 0
	for _, d := range toolset.Definitions() {
		if !slices.Contains([]string{"read_multiple_files", "search_files", "get_file_info", "list_allowed_directories"}, d.Spec.Name) {
			explained++
		}
	}
	if causes["sixth/open"] != tool.CauseHidden || causes["sixth/show"] != tool.CauseUnknown || len(causes) != explained {
		t.Errorf("causes %v", causes)
	}
	if reasons, err := sixth.Why(t.Context(), "f.txt"); err != nil || len(reasons) != 2 {
		t.Errorf("the family alone explains %v, %v", reasons, err)
	}
	others, err := toolset.Select("codex")
	testkit.Must(t, err)
	if _, err := others.Why(t.Context(), "missing"); err == nil {
		t.Error("nothing is there, and Why explains it")
	}
}

// TestFamilyOverMCP: the family is in the instructions and the list of tools, its parts arrive as content, and resources are
// read under its rules.
func TestFamilyOverMCP(t *testing.T) {
	var records []string
	root := openFamilies(t).Roots()[0]
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: []string{"sixth"}, More: families(), Observe: func(_ context.Context, r tool.Record) {
		records = append(records, r.Tool.ID+" "+string(r.Call.Args))
	}})
	clientSide, serverSide := mcp.NewInMemoryTransports()
	server, err := mcpserver.New(toolset, nil).Connect(t.Context(), serverSide, nil)
	testkit.Must(t, err)
	defer server.Close()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), clientSide, nil)
	testkit.Must(t, err)
	defer session.Close()
	for _, want := range []string{"open: what the sixth family opens", "show: what the sixth family shows"} {
		if got := session.InitializeResult().Instructions; !strings.Contains(got, want) {
			t.Errorf("the instructions lack %q: %s", want, got)
		}
	}
	var names []string
	for listed, err := range session.Tools(t.Context(), nil) {
		testkit.Must(t, err)
		names = append(names, listed.Name)
	}
	if !slices.Equal(names, []string{"open", "show"}) {
		t.Errorf("tools %q", names)
	}
	called, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "open", Arguments: map[string]any{"where": "x"}})
	testkit.Must(t, err)
	if image, ok := called.Content[len(called.Content)-1].(*mcp.ImageContent); !ok || len(called.Content) != 2 || string(image.Data) != "pixels" || image.MIMEType != "image/png" {
		t.Errorf("content %v", called.Content)
	}
	if want := `sixth/open {"where":"x"}`; !slices.Contains(records, want) {
		t.Errorf("no call is recorded as %s: %q", want, records)
	}
}
