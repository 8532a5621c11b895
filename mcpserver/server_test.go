package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/testkit"
	"gander/internal/toolset"
	"gander/tool"
)

func TestInstructions(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	ts := testkit.Open(t, gander.Options{Roots: []string{first, second}, Tools: []string{"gander"}})
	want := "Read-only file tools, confined to " + first + " and " + second + ". " +
		"list_dir: what is in a directory, or what a file is (depth=2 or more for a tree); " +
		"read_file: lines of a file, the block around a line, or an image (path may end in :LINE); " +
		"find_files: files by name or glob anywhere below a directory; " +
		"search_text: where something is defined, used or mentioned in files. " +
		"A path is relative to the first root or absolute, and each path in an answer can be given " +
		"to any of these tools. " +
		"An answer that leaves something out says so where it is missing, and which call shows it."
	if diff := cmp.Diff(want, instructions((*toolset.Toolset)(ts))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestContentBlocks checks that a result has a block for each of its parts.
func TestContentBlocks(t *testing.T) {
	data := []byte("data")
	got, err := json.Marshal(contentBlocks("test/parts", []tool.Part{
		{Text: "text"},
		{Data: data, MIMEType: "image/png"},
		{Data: data, MIMEType: "audio/wav"},
		{Data: data, MIMEType: "application/pdf"},
		{MIMEType: "application/empty"},
	}))
	testkit.Must(t, err)
	want := []string{
		`{"type":"text","text":"text"}`,
		`{"type":"image","mimeType":"image/png","data":"ZGF0YQ=="}`,
		`{"type":"audio","mimeType":"audio/wav","data":"ZGF0YQ=="}`,
		`{"type":"resource","resource":{"uri":"gander:test/parts#3",` +
			`"mimeType":"application/pdf","blob":"ZGF0YQ=="}}`,
		`{"type":"resource","resource":{"uri":"gander:test/parts#4",` +
			`"mimeType":"application/empty","blob":""}}`,
	}
	compare(t, "["+strings.Join(want, ",")+"]", string(got))
}

// TestOwnTools checks that a server states of the tools of a program only what they declare.
func TestOwnTools(t *testing.T) {
	declared, silent, writes := fake("own/a", echo), fake("own/b", echo), fake("own/c", echo)
	silent.Described.ReadOnly = false
	writes.Described.ReadOnly, writes.Described.SideEffects = false, true
	both := fake("own/d", echo)
	both.Described.SideEffects = true
	ts := testkit.Open(t, gander.Options{
		Roots: []string{t.TempDir()}, Tools: []string{"own"},
		ExtraTools: []tool.Tool{declared, silent, writes, both},
	})
	const changes = `"annotations":{"destructiveHint":true,"idempotentHint":false,"openWorldHint":true,` +
		`"readOnlyHint":false,"title":"Title of own/`
	listed := ask(t, ts, nil, `"method":"tools/list","params":{`+modernMeta+`}`)
	for text, want := range map[string]int{
		`"annotations"`: 3, changes: 2,
		`"annotations":{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,` +
			`"readOnlyHint":true,"title":"Title of own/a"}`: 1,
	} {
		if got := strings.Count(listed, text); got != want {
			t.Errorf("%d times %s in %s", got, text, listed)
		}
	}
	const discover = `"method":"server/discover","params":{` + modernMeta + `}`
	for _, tt := range []struct {
		options Options
		want    []string
	}{
		{Options{}, []string{`"name":"gander","title":"Gander"`, `"instructions":"The file tools are `}},
		{
			Options{Name: "n", Instructions: "Do."},
			[]string{`serverInfo":{"name":"n","version":"devel"}`, `"instructions":"Do."`},
		},
		{Options{Title: "T"}, []string{`{"name":"gander","title":"T","version":"devel"}`}},
	} {
		got := ask(t, ts, &tt.options, discover)
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%+v: %s, want %s", tt.options, got, want)
			}
		}
	}
}

// TestAddedTool checks that a tool that a program adds is neither listed nor called.
func TestAddedTool(t *testing.T) {
	for _, set := range []string{"codex", "filesystem"} {
		ts := testkit.Open(t, gander.Options{Roots: []string{t.TempDir()}, Tools: []string{set}})
		s := New(ts, nil)
		added := &mcp.Tool{Name: "added", InputSchema: json.RawMessage(schema)}
		s.AddTool(added, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			t.Error("it was called")
			return new(mcp.CallToolResult), nil
		})
		overStdio(t, s, "", func(p peer) {
			list := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{%s}}`, modernMeta)
			call := fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{%s,"name":"added"}}`,
				modernMeta)
			listed := strings.Join(p.send(t, []string{list}, 1), "")
			if strings.Contains(listed, `"name":"added"`) || !strings.Contains(listed, `"name":"list_dir`) {
				t.Errorf("%s: listed %s", set, listed)
			}
			p.send(t, []string{call}, 1)
		})
	}
}

// TestUnknownTool checks that the error about an unknown name lists the tools, and is short.
func TestUnknownTool(t *testing.T) {
	for set, want := range map[string]string{
		"codex":      `\"; the tools are: list_dir, read_file, grep_files"`,
		"filesystem": "Tool nnn",
	} {
		ts := testkit.Open(t, gander.Options{Roots: []string{t.TempDir()}, Tools: []string{set}})
		for _, length := range []int{3, 900_000} {
			got := ask(t, ts, nil, fmt.Sprintf(`"method":"tools/call","params":{%s,"name":%q}`,
				modernMeta, strings.Repeat("n", length)))
			if !strings.Contains(got, want) || len(got) > 2000 {
				t.Errorf("%s, %d: %.400s", set, length, got)
			}
		}
	}
}

func ask(t *testing.T, ts *gander.Toolset, o *Options, request string) string {
	t.Helper()
	var out bytes.Buffer
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,` + request + "}\n")
	testkit.Must(t, ServeStdio(t.Context(), New(ts, o), in, &out))
	return out.String()
}
