package clients

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A model serves a language model that asks for calls, and then answers "all read".
type model struct {
	url    string
	calls  []call
	prefix string // of the names of gander's tools

	mu      sync.Mutex
	tools   []string // of gander that the last request with any offers
	outputs []string // of the calls
}

// A modelAPI is the interface of a provider of models.
type modelAPI struct {
	path string // the end of the path
	// read returns the names of the tools that a request offers, and the outputs of calls by id,
	// which is call0 and so on.
	read func(body []byte) (tools []string, outputs map[string]string, err error)
	// write writes a response that asks for calls. Without calls, it is "all read".
	write func(w io.Writer, calls []call, streams bool)
}

type object = map[string]any

func newModel(t *testing.T, prefix string, calls []call) *model {
	t.Helper()
	m := &model{prefix: prefix, calls: calls}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	m.url = server.URL
	return m
}

// ServeHTTP implements [http.Handler].
func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	apis := []modelAPI{
		{"/messages", readMessages, writeMessage},
		{"/responses", readResponses, writeResponse},
		{"enerateContent", readContents, writeContent},
	}
	i := slices.IndexFunc(apis, func(a modelAPI) bool { return strings.HasSuffix(r.URL.Path, a.path) })
	if i < 0 || r.Method != http.MethodPost {
		http.NotFound(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	var tools []string
	var outputs map[string]string
	if err == nil {
		tools, outputs, err = apis[i].read(body)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	streams := !strings.Contains(r.URL.Path, "generateContent")
	if streams {
		w.Header().Set("Content-Type", "text/event-stream")
	}
	apis[i].write(w, m.respond(tools, outputs), streams)
}

// respond returns the calls to ask for, if any.
func (m *model) respond(tools []string, outputs map[string]string) []call {
	m.mu.Lock()
	defer m.mu.Unlock()
	var offered, texts []string
	for _, name := range tools {
		if name, ok := strings.CutPrefix(name, m.prefix); ok {
			offered = append(offered, name)
		}
	}
	if len(offered) > 0 {
		m.tools = offered
	}
	for i := range m.calls {
		if text, ok := outputs[fmt.Sprint("call", i)]; ok {
			texts = append(texts, text)
		}
	}
	if len(texts) > 0 {
		m.outputs = texts
		return nil
	}
	if len(offered) == 0 {
		return nil
	}
	calls := slices.Clone(m.calls)
	for i := range calls {
		calls[i].Name = m.prefix + calls[i].Name
	}
	return calls
}

// check compares the tools and outputs received by the model with the results of this process.
func (m *model) check(t *testing.T, s setup) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	names, texts := s.answers(t)
	if diff := cmp.Diff(names, slices.Sorted(slices.Values(m.tools))); diff != "" {
		t.Errorf("tools (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(texts, m.outputs); diff != "" {
		t.Errorf("outputs (-want +got)\n%s", diff)
	}
}

// encode returns a value as JSON.
func encode(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// event writes an event of a stream.
func event(w io.Writer, v object) {
	fmt.Fprintf(w, "event: %s\ndata: %s\n\n", v["type"], encode(v))
}

// readMessages reads a request of Anthropic's Messages API. The content of a message or of an
// output is a string or a list.
func readMessages(body []byte) (tools []string, outputs map[string]string, err error) {
	var request struct {
		Tools    []struct{ Name string }
		Messages []struct{ Content json.RawMessage }
	}
	err = json.Unmarshal(body, &request)
	for _, t := range request.Tools {
		tools = append(tools, t.Name)
	}
	outputs = make(map[string]string)
	for _, message := range request.Messages {
		var blocks []struct {
			Type    string
			ID      string `json:"tool_use_id"`
			Content json.RawMessage
		}
		_ = json.Unmarshal(message.Content, &blocks)
		for _, block := range blocks {
			if block.Type == "tool_result" {
				outputs[block.ID] = outputText(block.Content)
			}
		}
	}
	return tools, outputs, err
}

// outputText converts an output in a request of the Messages API to text.
func outputText(content json.RawMessage) (text string) {
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
	_ = json.Unmarshal(content, &parts)
	for _, p := range parts {
		if p.Type == "image" {
			text += imageText(p.Source.MediaType, p.Source.Data)
		} else if !strings.HasPrefix(p.Text, "[Image: source: ") { // Claude Code adds the file.
			text += p.Text
		}
	}
	return text
}

// writeMessage writes a response of Anthropic's Messages API.
func writeMessage(w io.Writer, calls []call, _ bool) {
	event(w, object{"type": "message_start", "message": object{
		"id": "m", "type": "message", "role": "assistant", "model": "test", "content": []any{},
		"usage": object{"input_tokens": 1, "output_tokens": 1},
	}})
	block := func(i int, start, delta object) {
		event(w, object{"type": "content_block_start", "index": i, "content_block": start})
		event(w, object{"type": "content_block_delta", "index": i, "delta": delta})
		event(w, object{"type": "content_block_stop", "index": i})
	}
	reason := "tool_use"
	for i, c := range calls {
		id := fmt.Sprint("call", i)
		block(i, object{"type": "tool_use", "id": id, "name": c.Name, "input": object{}},
			object{"type": "input_json_delta", "partial_json": encode(c.Arguments)})
	}
	if len(calls) == 0 {
		reason = "end_turn"
		block(0, object{"type": "text", "text": ""}, object{"type": "text_delta", "text": "all read"})
	}
	event(w, object{
		"type": "message_delta", "delta": object{"stop_reason": reason},
		"usage": object{"output_tokens": 1},
	})
	event(w, object{"type": "message_stop"})
}

// namespace is the name of the list of gander's tools in the Responses API.
const namespace = "mcp__gander"

// readResponses reads a request of OpenAI's Responses API.
func readResponses(body []byte) (tools []string, outputs map[string]string, err error) {
	var request struct {
		Tools []struct {
			Name  string
			Tools []struct{ Name string }
		}
		Input []struct {
			Type   string
			CallID string `json:"call_id"`
			Output []struct {
				Text     string
				ImageURL string `json:"image_url"`
			}
		}
	}
	err = json.Unmarshal(body, &request)
	for _, list := range request.Tools {
		for _, t := range list.Tools {
			tools = append(tools, list.Name+t.Name)
		}
	}
	outputs = make(map[string]string)
	for _, item := range request.Input {
		if item.Type != "function_call_output" {
			continue
		}
		text := ""
		for _, p := range item.Output {
			if head, data, ok := strings.Cut(p.ImageURL, ";base64,"); ok {
				text += imageText(strings.TrimPrefix(head, "data:"), data)
			} else if !strings.HasPrefix(p.Text, "Wall time: ") { // Codex adds the time.
				text += p.Text
			}
		}
		outputs[item.CallID] = text
	}
	return tools, outputs, err
}

// writeResponse writes a response of OpenAI's Responses API.
func writeResponse(w io.Writer, calls []call, _ bool) {
	done := func(item object) { event(w, object{"type": "response.output_item.done", "item": item}) }
	event(w, object{"type": "response.created", "response": object{"id": "r"}})
	for i, c := range calls {
		done(object{
			"type": "function_call", "id": fmt.Sprint("f", i), "call_id": fmt.Sprint("call", i),
			"namespace": namespace, "name": strings.TrimPrefix(c.Name, namespace),
			"arguments": encode(c.Arguments),
		})
	}
	if len(calls) == 0 {
		text := object{"type": "output_text", "text": "all read"}
		done(object{"type": "message", "role": "assistant", "id": "m", "content": []any{text}})
	}
	event(w, object{"type": "response.completed", "response": object{
		"id": "r", "usage": object{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
	}})
}

// A contentPart is an output or an image in a request of Gemini's API. The images of an output are
// among its own parts, or follow it.
type contentPart struct {
	InlineData       struct{ MIMEType, Data string }
	FunctionResponse *struct {
		Response struct{ Output, Error string }
		Parts    []contentPart
	}
}

// readContents reads a request of Gemini's API.
func readContents(body []byte) (tools []string, outputs map[string]string, err error) {
	var request struct {
		Contents []struct{ Parts []contentPart }
		Tools    []struct{ FunctionDeclarations []struct{ Name string } }
	}
	err = json.Unmarshal(body, &request)
	for _, list := range request.Tools {
		for _, t := range list.FunctionDeclarations {
			tools = append(tools, t.Name)
		}
	}
	outputs = make(map[string]string)
	last := ""
	for _, c := range request.Contents {
		for _, p := range c.Parts {
			images := []contentPart{p}
			if f := p.FunctionResponse; f != nil {
				last = fmt.Sprint("call", len(outputs))
				outputs[last] = unwrap(f.Response.Output, f.Response.Error)
				images = f.Parts
			}
			for _, image := range images {
				if data := image.InlineData; last != "" && data.Data != "" {
					outputs[last] += imageText(data.MIMEType, data.Data)
				}
			}
		}
	}
	return tools, outputs, err
}

// unwrap extracts the server's text from an output or error of Gemini CLI, which puts marks around
// an output, and embeds an error as JSON in a sentence.
func unwrap(output, failure string) string {
	if _, result, ok := strings.Cut(failure, " with response: "); ok {
		var parts []struct {
			FunctionResponse struct {
				Response struct{ Content []struct{ Text string } }
			}
		}
		_ = json.Unmarshal([]byte(result), &parts)
		for _, p := range parts {
			for _, c := range p.FunctionResponse.Response.Content {
				return c.Text
			}
		}
	}
	output, _, _ = strings.Cut(output, "\n[Tool 'read_file' provided the following image data ")
	output = strings.TrimPrefix(output, "<untrusted_context>\n")
	return strings.TrimSuffix(output, "\n</untrusted_context>") + failure
}

// writeContent writes a response of Gemini's API.
func writeContent(w io.Writer, calls []call, streams bool) {
	var parts []any
	for _, c := range calls {
		parts = append(parts, object{"functionCall": object{"name": c.Name, "args": c.Arguments}})
	}
	if len(calls) == 0 {
		parts = []any{object{"text": "all read"}}
	}
	response := encode(object{
		"candidates": []any{object{
			"index": 0, "finishReason": "STOP", "content": object{"role": "model", "parts": parts},
		}},
		"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
	})
	if streams {
		response = "data: " + response + "\r\n\r\n"
	}
	_, _ = io.WriteString(w, response)
}
