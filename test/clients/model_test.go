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
)

// A model serves a language model that asks for calls, and then answers "all read".
type model struct {
	url    string
	calls  []call
	prefix string // of the names of gander's tools

	mu       sync.Mutex
	received []string // the strings in the last request with results of calls
	offered  []string // the strings in the last request that offers gander's tools
	tools    []string // the names of the tools that this request offers
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
	body, err := io.ReadAll(r.Body)
	parts := stringsIn(body)
	if err != nil || r.Method != http.MethodPost || len(parts) == 0 {
		http.NotFound(w, r)
		return
	}
	var calls []call
	switch {
	case containsAny(string(body), `"tool_result"`, `"function_call_output"`, `"functionResponse"`):
		m.mu.Lock()
		m.received = parts
		m.mu.Unlock()
	case slices.Contains(parts, m.prefix+m.calls[0].Name): // as an offered tool
		m.mu.Lock()
		m.offered = parts
		m.tools = toolNames(body)
		m.mu.Unlock()
		calls = m.calls
	}
	writers := map[string]func(io.Writer, []call){
		"messages": m.writeMessage, "responses": m.writeResponse,
		":generateContent": m.writeContent, ":streamGenerateContent": m.writeContentEvent,
	}
	for end, write := range writers {
		if strings.HasSuffix(r.URL.Path, end) {
			if end != ":generateContent" {
				w.Header().Set("Content-Type", "text/event-stream")
			}
			write(w, calls)
			return
		}
	}
	http.NotFound(w, r)
}

// stringsIn returns the strings in a JSON value, except for keys.
func stringsIn(data []byte) (list []string) {
	var collect func(value any)
	collect = func(value any) {
		switch value := value.(type) {
		case string:
			list = append(list, value)
		case []any:
			for _, element := range value {
				collect(element)
			}
		case object:
			for _, element := range value {
				collect(element)
			}
		}
	}
	var value any
	_ = json.Unmarshal(data, &value)
	collect(value)
	return list
}

// toolNames returns the names of the tools that a request offers, in order.
func toolNames(request []byte) (names []string) {
	var collect func(value any)
	collect = func(value any) {
		switch value := value.(type) {
		case []any:
			for _, element := range value {
				collect(element)
			}
		case object:
			name, isNamed := value["name"].(string)
			for _, schema := range []string{"input_schema", "parameters", "parametersJsonSchema"} {
				if value[schema] != nil && isNamed {
					names = append(names, name)
				}
			}
			collect(value["tools"])
			collect(value["functionDeclarations"])
		}
	}
	var value any
	_ = json.Unmarshal(request, &value)
	collect(value)
	slices.Sort(names)
	return names
}

// event writes an event of a stream: a format with JSON values, among them its type.
func event(w io.Writer, kind, format string, values ...any) {
	for i := range values {
		data, err := json.Marshal(values[i])
		if err != nil {
			panic(err) // the values are maps and strings
		}
		values[i] = string(data)
	}
	fmt.Fprintf(w, "event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, fmt.Sprintf(format, values...))
}

// writeMessage writes a response of Anthropic's Messages API.
func (m *model) writeMessage(w io.Writer, calls []call) {
	event(w, "message_start", `,"message":{"id":"m","type":"message","role":"assistant",`+
		`"model":"test","content":[],"usage":{"input_tokens":1,"output_tokens":1}}`)
	block := func(i int, start, delta object) {
		event(w, "content_block_start", `,"index":%v,"content_block":%v`, i, start)
		event(w, "content_block_delta", `,"index":%v,"delta":%v`, i, delta)
		event(w, "content_block_stop", `,"index":%v`, i)
	}
	reason := "tool_use"
	for i, c := range calls {
		block(i, object{
			"type": "tool_use", "id": fmt.Sprint("call", i), "name": m.prefix + c.Name,
			"input": object{},
		}, object{"type": "input_json_delta", "partial_json": c.arguments()})
	}
	if len(calls) == 0 {
		reason = "end_turn"
		block(0, object{"type": "text", "text": ""}, object{"type": "text_delta", "text": "all read"})
	}
	event(w, "message_delta", `,"delta":{"stop_reason":%v},"usage":{"output_tokens":1}`, reason)
	event(w, "message_stop", "")
}

// namespace is the name of the list of gander's tools in the Responses API.
const namespace = "mcp__gander"

// writeResponse writes a response of OpenAI's Responses API.
func (m *model) writeResponse(w io.Writer, calls []call) {
	event(w, "response.created", `,"response":{"id":"r"}`)
	for i, c := range calls {
		event(w, "response.output_item.done", `,"item":{"type":"function_call","id":%v,`+
			`"call_id":%[1]v,"namespace":%v,"name":%v,"arguments":%v}`,
			fmt.Sprint("call", i), namespace, c.Name, c.arguments())
	}
	if len(calls) == 0 {
		event(w, "response.output_item.done", `,"item":{"type":"message","role":"assistant",`+
			`"id":"m","content":[{"type":"output_text","text":"all read"}]}`)
	}
	event(w, "response.completed", `,"response":{"id":"r",`+
		`"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}`)
}

// writeContent writes a response of Gemini's API.
func (m *model) writeContent(w io.Writer, calls []call) {
	list := []object{}
	for _, c := range calls {
		call := object{"name": m.prefix + c.Name, "args": c.Arguments}
		list = append(list, object{"functionCall": call})
	}
	if len(calls) == 0 {
		list = append(list, object{"text": "all read"})
	}
	content, err := json.Marshal(object{"role": "model", "parts": list})
	if err != nil {
		panic(err) // the parts are maps and strings
	}
	fmt.Fprintf(w, `{"candidates":[{"index":0,"finishReason":"STOP","content":%s}],"usageMetadata":`+
		`{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}`, content)
}

func (m *model) writeContentEvent(w io.Writer, calls []call) {
	_, _ = io.WriteString(w, "data: ")
	m.writeContent(w, calls)
	_, _ = io.WriteString(w, "\r\n\r\n")
}

func containsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}
