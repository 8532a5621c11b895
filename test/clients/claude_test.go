package clients

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// anthropicModel serves a model over Anthropic's Messages API.
type anthropicModel struct {
	*model
	prefix string // that the client adds to the names of the server's tools
}

// messagesRequest is the part of a request that the model reads. The content of a message or a result is a string or a list.
type messagesRequest struct {
	Tools    []struct{ Name string }
	Messages []struct{ Content json.RawMessage }
}

func (m anthropicModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request messagesRequest
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/messages") || json.NewDecoder(r.Body).Decode(&request) != nil {
		http.NotFound(w, r)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests++
	outputs := m.read(request)
	var blocks []map[string]any
	var deltas []map[string]any
	reason := "end_turn"
	if len(outputs) == 0 && len(m.tools) > 0 {
		reason = "tool_use"
		for i, c := range m.calls {
			args, err := json.Marshal(c.Arguments)
			if err != nil {
				m.t.Error(err)
			}
			blocks = append(blocks, map[string]any{"type": "tool_use", "id": fmt.Sprint("call", i), "name": m.prefix + c.Name, "input": map[string]any{}})
			deltas = append(deltas, map[string]any{"type": "input_json_delta", "partial_json": string(args)})
		}
	} else {
		m.outputs = outputs
		blocks = append(blocks, map[string]any{"type": "text", "text": ""})
		deltas = append(deltas, map[string]any{"type": "text_delta", "text": "all read"})
	}
	w.Header().Set("Content-Type", "text/event-stream")
	stream(w, map[string]any{"type": "message_start", "message": map[string]any{
		"id": fmt.Sprint("m", m.requests), "type": "message", "role": "assistant", "model": "stand-in", "content": []any{},
		"usage": map[string]any{"input_tokens": 1, "output_tokens": 1},
	}})
	for i := range blocks {
		stream(w, map[string]any{"type": "content_block_start", "index": i, "content_block": blocks[i]})
		stream(w, map[string]any{"type": "content_block_delta", "index": i, "delta": deltas[i]})
		stream(w, map[string]any{"type": "content_block_stop", "index": i})
	}
	stream(w, map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": reason}, "usage": map[string]any{"output_tokens": 1}})
	stream(w, map[string]any{"type": "message_stop"})
}

// read records the tools that a request offers and returns the answers to the calls.
func (m anthropicModel) read(r messagesRequest) []string {
	m.tools = nil
	for _, t := range r.Tools {
		if name, ok := strings.CutPrefix(t.Name, m.prefix); ok {
			m.tools = append(m.tools, name)
		}
	}
	answers := map[string]string{}
	for _, message := range r.Messages {
		var blocks []struct {
			Type    string
			ID      string `json:"tool_use_id"`
			Content json.RawMessage
		}
		if json.Unmarshal(message.Content, &blocks) != nil {
			continue
		}
		for _, block := range blocks {
			if block.Type == "tool_result" {
				answers[block.ID] = textOf(block.Content)
			}
		}
	}
	var outputs []string
	for i := range m.calls {
		if text, ok := answers[fmt.Sprint("call", i)]; ok {
			outputs = append(outputs, text)
		}
	}
	return outputs
}

// textOf returns the texts and images of a result.
func textOf(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var parts []struct {
		Type, Text string
		Source     struct {
			Data      string
			MediaType string `json:"media_type"`
		}
	}
	if json.Unmarshal(content, &parts) != nil || len(parts) == 0 {
		return string(content)
	}
	var texts []string
	for _, p := range parts {
		if p.Type == "image" {
			texts = append(texts, imageText(p.Source.MediaType, p.Source.Data))
		} else if !strings.HasPrefix(p.Text, "[Image: source: ") { // That is where Claude Code keeps the image.
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// claudeCode returns the path of Claude Code's program.
func (s setup) claudeCode(t *testing.T) string {
	t.Helper()
	return s.client(t, "@anthropic-ai/claude-code-*/claude")
}

// claudeCodeEnv returns the environment in which Claude Code asks the model at url.
func claudeCodeEnv(url string) []string {
	return []string{
		"ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=none", "ENABLE_TOOL_SEARCH=false",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
	}
}

// testClaudeCode: Claude Code asks for approval of a server that the project configures. It starts the server that the user
// configures, offers its tools to the model, makes the calls that the model asks for and returns the answers.
func testClaudeCode(t *testing.T, s setup) {
	m := &model{t: t, calls: s.calls()}
	server := httptest.NewServer(anthropicModel{m, "mcp__gander__"})
	defer server.Close()
	claude, env := s.claudeCode(t), claudeCodeEnv(server.URL)
	bin := filepath.Join(s.home, "bin") // npm links only a script that installs the program
	if err := errors.Join(os.MkdirAll(bin, 0o755), os.Symlink(claude, filepath.Join(bin, "claude"))); err != nil {
		t.Fatal(err)
	}
	s.install(t, "claude-code", "--scope", "project")
	if out := s.run(t, env, claude, "mcp", "list"); !strings.Contains(out, "gander: ") || !strings.Contains(out, "Pending approval") {
		t.Error(out)
	}
	if err := os.Remove(filepath.Join(s.project, ".mcp.json")); err != nil {
		t.Fatal(err)
	}
	s.install(t, "claude-code", "--scope", "user")
	if out := s.run(t, env, claude, "mcp", "list"); !strings.Contains(out, "gander: ") || !strings.Contains(out, "Connected") {
		t.Error(out)
	}
	if out := s.run(t, env, claude, "-p", "read what is here", "--allowedTools", "mcp__gander"); !strings.Contains(out, "all read") {
		t.Error(out)
	}
	m.check(t, s)
}
