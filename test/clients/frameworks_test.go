package clients

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testFramework returns a test of a framework for agents: its MCP client offers a model the tools, and gives it the answers,
// images among them.
func testFramework(name string) func(*testing.T, setup) {
	return func(t *testing.T, s setup) {
		request, err := json.Marshal(map[string]any{
			"framework": name, "command": s.gander, "args": []string{"mcp", "--root", s.project}, "calls": s.calls(),
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), timeout)
		defer cancel()
		cmd := exec.CommandContext(ctx, "node", filepath.Join(s.frameworks, "frameworks.mjs"))
		cmd.Stdin = bytes.NewReader(request)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, &stderr)
		}
		var got struct {
			Tools   []string
			Results [][]struct{ Text, Data, MIMEType string }
		}
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if diff := cmp.Diff(s.names(t), slices.Sorted(slices.Values(got.Tools))); diff != "" {
			t.Errorf("tools (-want +got)\n%s", diff)
		}
		for i, c := range s.calls() {
			var parts []string
			for _, p := range got.Results[i] {
				if p.Data != "" {
					parts = append(parts, imageText(p.MIMEType, p.Data))
				} else {
					parts = append(parts, p.Text)
				}
			}
			want, failed := s.answer(t, c)
			// A framework may put an error into words of its own.
			if answer := strings.Join(parts, "\n"); answer != want && !(failed && strings.Contains(answer, want)) {
				t.Errorf("%s: %.300q, not %.300q", c.Name, answer, want)
			}
		}
	}
}

// imageText stands for an image in base64 in the text of an answer.
func imageText(mimeType, data string) string { return "[" + mimeType + " " + data + "]" }

// imageOfURL returns the text for an image that a URL holds.
func imageOfURL(url string) string {
	head, data, _ := strings.Cut(strings.TrimPrefix(url, "data:"), ";base64,")
	return imageText(head, data)
}

// encoded returns data in base64.
func encoded(data []byte) string { return base64.StdEncoding.EncodeToString(data) }
