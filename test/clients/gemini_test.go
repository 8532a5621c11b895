package clients

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// geminiModel serves a model over Gemini's generateContent API.
type geminiModel struct{ *model }

// generateRequest is the part of a request that the model reads.
type generateRequest struct {
	Contents []struct {
		Parts []geminiPart
	}
	Tools []struct {
		FunctionDeclarations []struct{ Name string }
	}
}

// geminiPart is an answer, or an image. The images of an answer are among its own parts, or follow it.
type geminiPart struct {
	InlineData *struct {
		MIMEType string `json:"mimeType"`
		Data     string
	}
	FunctionResponse *struct {
		Name     string
		Response struct{ Output, Error string }
		Parts    []geminiPart
	}
}

// images returns the text that stands for the images among parts.
func images(parts []geminiPart) string {
	text := ""
	for _, p := range parts {
		if p.InlineData != nil {
			text += "\n" + imageText(p.InlineData.MIMEType, p.InlineData.Data)
		}
	}
	return text
}

// geminiPrefix is the prefix that Gemini CLI adds to the names of the server's tools.
const geminiPrefix = "mcp_gander_"

func (m geminiModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request generateRequest
	if r.Method != http.MethodPost || !strings.Contains(r.URL.Path, "enerateContent") || json.NewDecoder(r.Body).Decode(&request) != nil {
		http.NotFound(w, r)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var parts []any
	if outputs := m.read(request); len(outputs) > 0 {
		m.outputs = outputs
	} else if len(m.tools) > 0 {
		for _, c := range m.calls {
			parts = append(parts, map[string]any{"functionCall": map[string]any{"name": geminiPrefix + c.Name, "args": c.Arguments}})
		}
	}
	if parts == nil {
		parts = []any{map[string]any{"text": "all read"}}
	}
	answer, err := json.Marshal(map[string]any{
		"candidates":    []any{map[string]any{"index": 0, "finishReason": "STOP", "content": map[string]any{"role": "model", "parts": parts}}},
		"usageMetadata": map[string]any{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
	})
	if err != nil {
		m.t.Error(err)
	}
	before, after := "", ""
	if strings.Contains(r.URL.Path, "stream") {
		w.Header().Set("Content-Type", "text/event-stream")
		before, after = "data: ", "\r\n\r\n"
	}
	if _, err := w.Write([]byte(before + string(answer) + after)); err != nil {
		m.t.Error(err)
	}
}

// read records the tools that a request offers and returns the answers to the calls.
func (m geminiModel) read(r generateRequest) []string {
	m.tools = nil
	for _, t := range r.Tools {
		for _, d := range t.FunctionDeclarations {
			if name, ok := strings.CutPrefix(d.Name, geminiPrefix); ok {
				m.tools = append(m.tools, name)
			}
		}
	}
	var outputs []string
	for _, c := range r.Contents {
		for i, p := range c.Parts {
			if p.FunctionResponse != nil {
				output := unwrapped(p.FunctionResponse.Response.Output, p.FunctionResponse.Response.Error)
				outputs = append(outputs, output+images(p.FunctionResponse.Parts))
			} else if len(outputs) > 0 {
				outputs[len(outputs)-1] += images(c.Parts[i : i+1])
			}
		}
	}
	return outputs
}

// unwrapped returns the server's text from what Gemini CLI makes of it: it puts marks around an answer, and embeds an error as
// JSON in a sentence.
func unwrapped(output, failure string) string {
	if _, result, ok := strings.Cut(failure, " with response: "); ok {
		var parts []struct {
			FunctionResponse struct {
				Response struct{ Content []struct{ Text string } }
			}
		}
		if json.Unmarshal([]byte(result), &parts) == nil && len(parts) == 1 && len(parts[0].FunctionResponse.Response.Content) == 1 {
			return parts[0].FunctionResponse.Response.Content[0].Text
		}
	}
	output, _, _ = strings.Cut(output, "\n[Tool 'read_file' provided the following image data ")
	return strings.TrimSuffix(strings.TrimPrefix(output, "<untrusted_context>\n"), "\n</untrusted_context>") + failure
}

// testGemini: Gemini CLI starts the server, offers its tools to the model, makes the calls that the model asks for and returns
// the answers.
func testGemini(t *testing.T, s setup) {
	m := &model{t: t, calls: s.calls()}
	server := httptest.NewServer(geminiModel{m})
	defer server.Close()
	if err := os.MkdirAll(filepath.Join(s.home, ".gemini"), 0o755); err != nil {
		t.Fatal(err)
	}
	settings := `{
  // A key, and nothing that is sent anywhere else.
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "privacy": {"usageStatisticsEnabled": false},
  "general": {"enableAutoUpdate": false}
}
`
	if err := os.WriteFile(filepath.Join(s.home, ".gemini", "settings.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	s.install(t, "gemini", "--scope", "user")
	env := []string{"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL=" + server.URL, "GEMINI_CLI_TRUST_WORKSPACE=true"}
	gemini := s.client(t, ".bin/gemini")
	if out := s.run(t, env, gemini, "mcp", "list"); !strings.Contains(out, "✓ gander: ") || !strings.Contains(out, "Connected") {
		t.Error(out)
	}
	if out := s.run(t, env, gemini, "--model", "gemini-2.5-pro", "--approval-mode", "yolo", "-p", "read what is here"); !strings.Contains(out, "all read") {
		t.Error(out)
	}
	m.check(t, s)
}
