package provider

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gander/tool"
)

func definitions() []tool.Definition {
	return []tool.Definition{
		{Name: "look", Spec: tool.Spec{
			ID: "a/look", Name: "look", Title: "Look", Description: "Looks at \"things\" <once>\u2028.",
			Input:  json.RawMessage(`{"type":"object", "properties":{"b":{"type":"integer","minimum":1,"default":7},"a":{"type":"string"}}, "required":["a"]}`),
			Output: json.RawMessage(`{"type":"object"}`),
		}},
		{Name: "b_poke", Spec: tool.Spec{ID: "b/poke", Name: "poke", Input: json.RawMessage(`{"type":"object"}`), SideEffects: true}},
	}
}

func TestTools(t *testing.T) {
	const text = "\"Looks at \\\"things\\\" <once>\u2028.\""
	for name, want := range map[string]string{
		"mcp": `[{"name":"look","title":"Look","description":` + text + `,"inputSchema":{"type":"object", "properties":{"b":{"type":"integer","minimum":1,"default":7},"a":{"type":"string"}}, "required":["a"]},"annotations":{"title":"Look","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},"_meta":{"anthropic/alwaysLoad":true,"anthropic/maxResultSizeChars":500000}},
{"name":"b_poke","description":"","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true},"_meta":{"anthropic/alwaysLoad":true,"anthropic/maxResultSizeChars":500000}}]`,
		"openai": `[{"type":"function","function":{"name":"look","description":` + text + `,"parameters":{"type":"object","properties":{"b":{"anyOf":[{"type":"integer","minimum":1},{"type":"null","description":"Default: 7"}]},"a":{"type":"string"}},"required":["b","a"],"additionalProperties":false},"strict":true}},
{"type":"function","function":{"name":"b_poke","description":"","parameters":{"type":"object"}}}]`,
		"openai-responses": `[{"type":"function","name":"look","description":` + text + `,"parameters":{"type":"object","properties":{"b":{"anyOf":[{"type":"integer","minimum":1},{"type":"null","description":"Default: 7"}]},"a":{"type":"string"}},"required":["b","a"],"additionalProperties":false},"strict":true},
{"type":"function","name":"b_poke","description":"","parameters":{"type":"object"},"strict":false}]`,
		"anthropic": `[{"name":"look","description":` + text + `,"input_schema":{"type":"object","properties":{"b":{"type":"integer","default":7},"a":{"type":"string"}},"required":["a"],"additionalProperties":false},"strict":true},
{"name":"b_poke","description":"","input_schema":{"type":"object"}}]`,
		"gemini": `[{"functionDeclarations":[{"name":"look","description":` + text + `,"parametersJsonSchema":{"type":"object","properties":{"b":{"type":"integer","minimum":1,"default":7},"a":{"type":"string"}},"required":["a"],"additionalProperties":false}},
{"name":"b_poke","description":"","parametersJsonSchema":{"type":"object"}}]}]`,
	} {
		t.Run(name, func(t *testing.T) {
			tools := MCP
			if p := New(name); p != nil {
				tools = p.Tools
			}
			if diff := cmp.Diff(want, string(tools(definitions()))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if none := string(tools(nil)); !json.Valid([]byte(none)) || strings.Contains(none, "name") {
				t.Errorf("without tools: %s", none)
			}
		})
	}
}

func TestNames(t *testing.T) {
	if !slices.IsSorted(Names()) {
		t.Errorf("the names are not sorted: %q", Names())
	}
	for _, name := range Names() {
		if New(name) == nil {
			t.Errorf("%q is no provider", name)
		}
	}
	if New("mcp") != nil || New("") != nil {
		t.Error("an unknown name is a provider")
	}
}

// An exchange is a response with calls, and what to append to the conversation for it.
type exchange struct {
	response string
	calls    []Call
	turn     []string // for the response
	replies  []string // for the result "yes" of the first call, and the error "no" of all others
}

func exchanges() map[string]exchange {
	args := json.RawMessage(`{"a": "x"}`)
	return map[string]exchange{
		"openai": {
			response: `{"id":"r","choices":[{"index":0,"message":{"role":"assistant","content":null,"refusal":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"a\": \"x\"}"}},{"id":"c2","type":"custom","custom":{"name":"z","input":"q"}},{"id":"c\"3","function":{"name":"poke","arguments":""}}]},"finish_reason":"tool_calls"},{"message":{"tool_calls":[{"id":"other"}]}}]}`,
			calls:    []Call{{"c1", "look", args}, {`c"3`, "poke", json.RawMessage{}}},
			turn:     []string{`{"role":"assistant","content":null,"refusal":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"a\": \"x\"}"}},{"id":"c2","type":"custom","custom":{"name":"z","input":"q"}},{"id":"c\"3","function":{"name":"poke","arguments":""}}]}`},
			replies: []string{
				`{"role":"tool","tool_call_id":"c1","content":"yes"}`,
				`{"role":"tool","tool_call_id":"c\"3","content":"no \"<\n"}`,
			},
		},
		"openai-responses": {
			response: `{"object":"response","output":[{"type":"reasoning","id":"rs","summary":[],"encrypted_content":"e"},{"type":"function_call","id":"fc","call_id":"c1","name":"look","arguments":"{\"a\": \"x\"}","status":"completed"},{"type":"mcp_call","name":{"not":"ours"}},{"type":"function_call","call_id":"c2","name":"poke","arguments":"{"}]}`,
			calls:    []Call{{"c1", "look", args}, {"c2", "poke", json.RawMessage(`{`)}},
			turn: []string{
				`{"type":"reasoning","id":"rs","summary":[],"encrypted_content":"e"}`,
				`{"type":"function_call","id":"fc","call_id":"c1","name":"look","arguments":"{\"a\": \"x\"}","status":"completed"}`,
				`{"type":"mcp_call","name":{"not":"ours"}}`,
				`{"type":"function_call","call_id":"c2","name":"poke","arguments":"{"}`,
			},
			replies: []string{
				`{"type":"function_call_output","call_id":"c1","output":"yes"}`,
				`{"type":"function_call_output","call_id":"c2","output":"no \"<\n"}`,
			},
		},
		"anthropic": {
			response: `{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"tool_use","id":"t1","name":"look","input":{"a": "x"}},{"type":"server_tool_use","id":7},{"type":"tool_use","id":"t2","name":"poke","input":{}}],"stop_reason":"tool_use"}`,
			calls:    []Call{{"t1", "look", args}, {"t2", "poke", json.RawMessage(`{}`)}},
			turn:     []string{`{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"tool_use","id":"t1","name":"look","input":{"a": "x"}},{"type":"server_tool_use","id":7},{"type":"tool_use","id":"t2","name":"poke","input":{}}]}`},
			replies:  []string{`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"yes"},{"type":"tool_result","tool_use_id":"t2","content":"no \"<\n","is_error":true}]}`},
		},
		"gemini": {
			response: `{"candidates":[{"content":{"role":"model","parts":[{"text":"hm"},{"functionCall":{"name":"look","args":{"a": "x"}},"thoughtSignature":"s"},{"functionCall":{"id":"g2","name":"poke"}}]},"finishReason":"STOP"}]}`,
			calls:    []Call{{"", "look", args}, {"g2", "poke", nil}},
			turn:     []string{`{"role":"model","parts":[{"text":"hm"},{"functionCall":{"name":"look","args":{"a": "x"}},"thoughtSignature":"s"},{"functionCall":{"id":"g2","name":"poke"}}]}`},
			replies:  []string{`{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"output":"yes"}}},{"functionResponse":{"id":"g2","name":"poke","response":{"error":"no \"<\n"}}}]}`},
		},
	}
}

func TestExchange(t *testing.T) {
	for name, want := range exchanges() {
		t.Run(name, func(t *testing.T) {
			p := New(name)
			turn, items, err := p.Turn([]byte(want.response))
			if err != nil {
				t.Fatal(err)
			}
			var calls []Call
			var answers []Answer
			for _, item := range items {
				c, ok, err := p.Call(item)
				if err != nil {
					t.Fatal(err)
				}
				if !ok {
					continue
				}
				calls = append(calls, c)
				if len(calls) > 1 {
					answers = append(answers, Answer{c, tool.Text("no \"<\n"), true})
				} else {
					answers = append(answers, Answer{c, tool.Text("yes"), false})
				}
			}
			if diff := cmp.Diff(want.calls, calls); diff != "" {
				t.Errorf("calls (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(want.turn, texts(turn)); diff != "" {
				t.Errorf("turn (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(want.replies, texts(p.Replies(answers))); diff != "" {
				t.Errorf("replies (-want +got)\n%s", diff)
			}
			if none := p.Replies(nil); none != nil {
				t.Errorf("no replies are %s", none)
			}
		})
	}
}

// TestImages: an image is a part of the reply, or where a reply takes only text, of a message of the user after it.
func TestImages(t *testing.T) {
	image := tool.Part{Type: tool.ImagePart, Data: []byte("abc"), MIMEType: "image/png"}
	parts := append(tool.Text("logo.png"), image)
	for name, want := range map[string][]string{
		"anthropic":        {`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"logo.png"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"YWJj"}}]}]}`},
		"gemini":           {`{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"look","response":{"output":"logo.png\n[image: image/png, 3 bytes]"},"parts":[{"inlineData":{"mimeType":"image/png","data":"YWJj"}}]}}]}`},
		"openai":           {`{"role":"tool","tool_call_id":"c1","content":"logo.png\n[image: image/png, 3 bytes]"}`, `{"role":"user","content":[{"type":"text","text":"The image that look (c1) has returned:"},{"type":"image_url","image_url":{"url":"data:image/png;base64,YWJj"}}]}`},
		"openai-responses": {`{"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"logo.png"},{"type":"input_image","image_url":"data:image/png;base64,YWJj"}]}`},
	} {
		got := texts(New(name).Replies([]Answer{{Call: Call{ID: "c1", Name: "look"}, Parts: parts}}))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestRefusedImages checks that words take the place of an image that would make the API refuse the whole request.
func TestRefusedImages(t *testing.T) {
	large := tool.Part{Type: tool.ImagePart, Data: make([]byte, 3<<20+768<<10+1), MIMEType: "image/png"}
	for name, tt := range map[string]struct {
		image tool.Part
		want  string
	}{
		"anthropic": {large, `"content":[{"type":"text","text":"[image: image/png, 3932161 bytes] was left out, because the API takes images of up to 3932160 bytes"}]`},
		"gemini":    {tool.Part{Type: tool.ImagePart, Data: []byte("abc"), MIMEType: "image/gif"}, `"response":{"output":"[image: image/gif, 3 bytes] was left out, because the API takes no GIF"}}}`},
	} {
		got := string(New(name).Reply(Answer{Call: Call{ID: "c1", Name: "look"}, Parts: []tool.Part{tt.image}}))
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %.400s\nwant %s", name, got, tt.want)
		}
	}
	large.Data = large.Data[1:]
	if got := string(New("anthropic").Reply(Answer{Parts: []tool.Part{large}})); !strings.Contains(got, `"type":"image"`) {
		t.Errorf("the largest image: %.200s", got)
	}
}

func texts(messages []json.RawMessage) []string {
	all := make([]string, len(messages))
	for i, m := range messages {
		all[i] = string(m)
	}
	return all
}

// TestNoTurn checks that a response without a turn of the model is an error, even if it is one that the provider sends.
func TestNoTurn(t *testing.T) {
	responses := []string{
		``, `{`, `[]`, `7`, `null`, `{}`, `{"error":{"message":"overloaded"}}`,
		`{"choices":[]}`, `{"choices":[{}]}`, `{"choices":[{"message":null}]}`, `{"choices":[{"message":7}]}`,
		`{"output":null}`, `{"output":{}}`,
		`{"content":null}`, `{"content":"text"}`, `{"content":{}}`,
		`{"candidates":[]}`, `{"candidates":[{"finishReason":"SAFETY"}]}`, `{"candidates":[{"content":7}]}`,
	}
	for _, name := range Names() {
		for _, response := range responses {
			if turn, items, err := New(name).Turn([]byte(response)); err == nil {
				t.Errorf("%s: %s is the turn %s with the items %s", name, response, turn, items)
			}
		}
		if _, _, err := New(name).Call([]byte(`{`)); err == nil {
			t.Errorf("%s: an incomplete item is no error", name)
		}
		for _, item := range []string{`{}`, `null`, `{"type":"text","text":"a"}`} {
			if c, ok, err := New(name).Call([]byte(item)); ok || err != nil {
				t.Errorf("%s: %s is the call %v, %v", name, item, c, err)
			}
		}
	}
}

// FuzzTurn checks that reading a response and its calls succeeds or fails, and that what is appended for it is JSON.
func FuzzTurn(f *testing.F) {
	for name, e := range exchanges() {
		f.Add(slices.Index(Names(), name), []byte(e.response))
	}
	f.Fuzz(func(t *testing.T, i int, response []byte) {
		if i < 0 || i >= len(Names()) {
			return
		}
		p := New(Names()[i])
		turn, items, err := p.Turn(response)
		if err != nil {
			return
		}
		var answers []Answer
		for _, item := range items {
			if c, ok, err := p.Call(item); err == nil && ok {
				answers = append(answers, Answer{c, tool.Text(string(response)), true}, Answer{c, []tool.Part{{Type: tool.ImagePart, MIMEType: string(response), Data: response}}, false})
			}
		}
		for _, m := range append(turn, p.Replies(answers)...) {
			if !json.Valid(m) {
				t.Errorf("not JSON: %s", m)
			}
		}
	})
}
