package clients

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A model stands in for a language model: it asks for calls, and then says that it is done.
type model struct {
	t     *testing.T
	calls []call

	mu       sync.Mutex
	tools    []string // those of gander that the first request offers
	outputs  []string // what the calls have answered, in the order of the calls
	requests int
}

// openAIModel serves a model over OpenAI's Responses API.
type openAIModel struct{ *model }

// responsesRequest is the part of a request that the model reads.
type responsesRequest struct {
	Stream bool
	Tools  []struct {
		Type, Name string
		Tools      []struct{ Name string }
	}
	Input []struct {
		Type   string
		CallID string `json:"call_id"`
		Output []struct {
			Type, Text string
			ImageURL   string `json:"image_url"`
		}
	}
}

func (m openAIModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request responsesRequest
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/responses") || json.NewDecoder(r.Body).Decode(&request) != nil {
		http.NotFound(w, r)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests++
	var events []map[string]any
	outputs := m.read(request)
	if len(outputs) == 0 {
		for i, c := range m.calls {
			args, err := json.Marshal(c.Arguments)
			if err != nil {
				m.t.Error(err)
			}
			events = append(events, done(map[string]any{
				"type": "function_call", "id": fmt.Sprint("f", i), "call_id": fmt.Sprint("call", i),
				"namespace": "mcp__gander", "name": c.Name, "arguments": string(args),
			}))
		}
	} else {
		m.outputs = outputs
		events = append(events, done(map[string]any{
			"type": "message", "role": "assistant", "id": "m", "content": []any{map[string]any{"type": "output_text", "text": "all read"}},
		}))
	}
	w.Header().Set("Content-Type", "text/event-stream")
	id := fmt.Sprint("r", m.requests)
	stream(w, map[string]any{"type": "response.created", "response": map[string]any{"id": id}})
	for _, e := range events {
		stream(w, e)
	}
	stream(w, map[string]any{"type": "response.completed", "response": map[string]any{
		"id": id, "usage": map[string]any{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
	}})
}

// read records the tools that a request offers and returns the answers to the calls.
func (m openAIModel) read(r responsesRequest) []string {
	if m.requests == 1 {
		for _, t := range r.Tools {
			if t.Type == "namespace" && t.Name == "mcp__gander" {
				for _, inner := range t.Tools {
					m.tools = append(m.tools, inner.Name)
				}
			}
		}
	}
	answers := map[string]string{}
	for _, item := range r.Input {
		if item.Type != "function_call_output" {
			continue
		}
		var parts []string
		for _, p := range item.Output {
			switch {
			case p.Type == "input_image":
				parts = append(parts, imageOfURL(p.ImageURL))
			case !strings.HasPrefix(p.Text, "Wall time: "): // That is what Codex says about the call.
				parts = append(parts, p.Text)
			}
		}
		answers[item.CallID] = strings.Join(parts, "\n")
	}
	var outputs []string
	for i := range m.calls {
		if text, ok := answers[fmt.Sprint("call", i)]; ok {
			outputs = append(outputs, text)
		}
	}
	return outputs
}

func done(item map[string]any) map[string]any {
	return map[string]any{"type": "response.output_item.done", "item": item}
}

// stream sends one event.
func stream(w io.Writer, event map[string]any) {
	data, err := json.Marshal(event)
	if err != nil {
		data = []byte(err.Error())
	}
	fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event["type"], data)
}

// testCodex: Codex lists the server, offers its tools to the model, makes the calls that the model asks for and returns the
// answers.
func testCodex(t *testing.T, s setup) {
	m := &model{t: t, calls: s.calls()}
	server := httptest.NewServer(openAIModel{m})
	defer server.Close()
	home := filepath.Join(s.home, ".codex")
	if err := os.MkdirAll(home, 0o755); err != nil {
		t.Fatal(err)
	}
	config := fmt.Sprintf("model = \"stand-in\" # no real one\nmodel_provider = \"local\"\n\n[model_providers.local]\nname = \"local\"\nbase_url = %q\nwire_api = \"responses\"\n", server.URL+"/v1")
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	s.install(t, "codex", "--scope", "user")
	codex := s.client(t, ".bin/codex")
	if out := s.run(t, nil, codex, "mcp", "list"); !strings.Contains(out, "gander") || !strings.Contains(out, "mcp --root "+s.project) || !strings.Contains(out, "enabled") {
		t.Error(out)
	}
	if out := s.run(t, nil, codex, "exec", "--skip-git-repo-check", "read what is here"); !strings.Contains(out, "all read") {
		t.Error(out)
	}
	m.check(t, s)
}

// check compares what the model received with what gander answers in this process.
func (m *model) check(t *testing.T, s setup) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if diff := cmp.Diff(s.names(t), slices.Sorted(slices.Values(m.tools))); diff != "" {
		t.Errorf("tools (-want +got)\n%s", diff)
	}
	var want []string
	for _, c := range m.calls {
		text, _ := s.answer(t, c)
		want = append(want, text)
	}
	if diff := cmp.Diff(want, m.outputs); diff != "" {
		t.Errorf("what the model has read (-want +got)\n%s", diff)
	}
}
