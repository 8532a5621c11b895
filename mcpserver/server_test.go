package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	}, nil))
	testkit.Must(t, err)
	want := []string{
		`{"type":"text","text":"text"}`,
		`{"type":"image","mimeType":"image/png","data":"ZGF0YQ=="}`,
		`{"type":"audio","mimeType":"audio/wav","data":"ZGF0YQ=="}`,
		`{"type":"resource","resource":{"uri":"gander:test/parts#3",` +
			`"mimeType":"application/pdf","blob":"ZGF0YQ=="}}`,
	}
	compare(t, "["+strings.Join(want, ",")+"]", string(got))
}
