//go:build unix

package library

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

func providers() []gander.Provider {
	return []gander.Provider{gander.OpenAIChat, gander.OpenAIResponses, gander.Anthropic, gander.Gemini}
}

// A shown tool is a definition as one provider's interface has it.
type shown struct {
	name, description string
	schema            map[string]any
	strict            bool
}

// show returns the definitions of a toolset for a provider.
func show(t *testing.T, toolset *gander.Toolset, p gander.Provider) []shown {
	t.Helper()
	data, err := toolset.Tools(p)
	if err != nil {
		t.Fatal(err)
	}
	var tools []map[string]any
	if err := json.Unmarshal(data, &tools); err != nil {
		t.Fatal(err)
	}
	if p == gander.Gemini {
		declarations := tools[0]["functionDeclarations"].([]any)
		tools = nil
		for _, d := range declarations {
			tools = append(tools, d.(map[string]any))
		}
	}
	var all []shown
	for _, d := range tools {
		if function, ok := d["function"]; ok {
			d = function.(map[string]any)
		}
		s := shown{name: d["name"].(string), description: d["description"].(string)}
		for _, key := range []string{"parameters", "input_schema", "parametersJsonSchema"} {
			if schema, ok := d[key]; ok {
				s.schema = schema.(map[string]any)
			}
		}
		s.strict, _ = d["strict"].(bool)
		all = append(all, s)
	}
	return all
}

// TestStrictForms checks the definitions of the built-in tools against what the documentation of each interface demands of
// strict tools.
func TestStrictForms(t *testing.T) {
	for _, tools := range [][]string{{"gander"}, {"codex/list_dir", "codex/read_file", "gemini", "forge", "toolkit"}, {"codex"}} {
		checkStrictForms(t, testkit.Open(t, gander.Options{Roots: []string{t.TempDir()}, Tools: tools}))
	}
}

func checkStrictForms(t *testing.T, toolset *gander.Toolset) {
	t.Helper()
	common := []string{"type", "description", "enum", "properties", "required", "items", "anyOf", "additionalProperties"}
	keywords := map[gander.Provider][]string{
		gander.OpenAIChat:      append([]string{"minimum"}, common...),
		gander.OpenAIResponses: append([]string{"minimum"}, common...),
		gander.Anthropic:       append([]string{"default"}, common...),
		gander.Gemini:          append([]string{"minimum", "default"}, common...),
	}
	for _, p := range providers() {
		tools := show(t, toolset, p)
		optionals := 0
		for i, d := range toolset.Definitions() {
			got := tools[i]
			if got.name != d.Name || got.description != d.Description {
				t.Errorf("%s: %s is shown as %s: %s", p, d.ID, got.name, got.description)
			}
			strict := p == gander.OpenAIChat || p == gander.OpenAIResponses || p == gander.Anthropic
			if got.strict != strict {
				t.Errorf("%s: %s is strict: %v", p, d.ID, got.strict)
			}
			if !strict && p != gander.Gemini {
				if diff := cmp.Diff(decoded(t, d.Input), any(got.schema)); diff != "" {
					t.Errorf("%s: %s is neither strict nor as published\n%s", p, d.ID, diff)
				}
				continue
			}
			every(got.schema, func(s map[string]any) {
				for keyword := range s {
					if !slices.Contains(keywords[p], keyword) {
						t.Errorf("%s: %s has the keyword %s", p, d.ID, keyword)
					}
				}
				properties, isObject := s["properties"].(map[string]any)
				if !isObject {
					return
				}
				required, _ := s["required"].([]any)
				if s["additionalProperties"] != false {
					t.Errorf("%s: %s has an open object", p, d.ID)
				}
				if p != gander.Anthropic && p != gander.Gemini && len(required) != len(properties) {
					t.Errorf("%s: %s has optional properties", p, d.ID)
				}
				optionals += len(properties) - len(required)
			})
		}
		if p == gander.Anthropic && optionals > 24 {
			t.Errorf("%d optional properties", optionals)
		}
	}
}

// every calls f with a schema and all schemas within it.
func every(schema map[string]any, f func(map[string]any)) {
	f(schema)
	properties, _ := schema["properties"].(map[string]any)
	for _, p := range properties {
		every(p.(map[string]any), f)
	}
	if items, ok := schema["items"].(map[string]any); ok {
		every(items, f)
	}
	alternatives, _ := schema["anyOf"].([]any)
	for _, a := range alternatives {
		every(a.(map[string]any), f)
	}
}

func decoded(t *testing.T, data []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// item returns a call as a response of p contains it.
func item(p gander.Provider, id, name, args string) string {
	switch p {
	case gander.OpenAIChat:
		return fmt.Sprintf(`{"id":%q,"type":"function","function":{"name":%q,"arguments":%q}}`, id, name, args)
	case gander.OpenAIResponses:
		return fmt.Sprintf(`{"type":"function_call","call_id":%q,"name":%q,"arguments":%q}`, id, name, args)
	case gander.Anthropic:
		return fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":%s}`, id, name, args)
	default:
		return fmt.Sprintf(`{"functionCall":{"id":%q,"name":%q,"args":%s}}`, id, name, args)
	}
}

// response returns a response of p that contains the items.
func response(p gander.Provider, items ...string) []byte {
	frame := map[gander.Provider]string{
		gander.OpenAIChat:      `{"choices":[{"message":{"role":"assistant","tool_calls":[%s]}}]}`,
		gander.OpenAIResponses: `{"output":[%s]}`,
		gander.Anthropic:       `{"content":[%s]}`,
		gander.Gemini:          `{"candidates":[{"content":{"role":"model","parts":[%s]}}]}`,
	}
	return fmt.Appendf(nil, frame[p], strings.Join(items, ","))
}

// TestNulls: OpenAI's strict form requires every property. A call with null for the optional ones equals a call without them.
func TestNulls(t *testing.T) {
	root := fixture.Make(t, "a", "d/b")
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: []string{"codex", "gemini", "forge", "toolkit"}})
	for _, p := range []gander.Provider{gander.OpenAIChat, gander.OpenAIResponses} {
		for i, d := range show(t, toolset, p) {
			id := toolset.Definitions()[i].ID
			path := root
			if id == "codex/read_file" {
				path = filepath.Join(root, "a")
			}
			args := map[string]any{}
			for name := range d.schema["properties"].(map[string]any) {
				args[name] = nil
			}
			args[testkit.PathArguments()[id]] = path
			if id == "codex/grep_files" {
				args["pattern"] = "."
			}
			want, failure := testkit.Call(t, toolset, id, map[string]any{testkit.PathArguments()[id]: path})
			if failure != nil {
				t.Fatal(failure)
			}
			data, err := json.Marshal(args)
			if err != nil {
				t.Fatal(err)
			}
			c, err := toolset.ReadCall(p, []byte(item(p, "1", d.name, string(data))))
			if err != nil {
				t.Fatal(err)
			}
			got, err := toolset.Call(t.Context(), c.Name, c.Call)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: %s gives %q, %v, want %q", p, id, c.Call.Args, got.Text(), err, want.Text())
			}
		}
	}
}

// TestAnswer: the answers are in the order of the calls, whichever is ready first. A call of an unknown tool is answered too.
func TestAnswer(t *testing.T) {
	started := make(chan struct{}, 1)
	toolset := testkit.Open(t, gander.Options{Roots: []string{t.TempDir()}, More: []tool.Tool{own{}}, Wrap: []tool.Middleware{
		func(_ tool.Spec, next tool.Handler) tool.Handler {
			return func(ctx context.Context, c tool.Call) (tool.Result, error) {
				if strings.Contains(string(c.Args), "first") { // it ends after the second call has begun
					<-started
				} else {
					started <- struct{}{}
				}
				return next(ctx, c)
			}
		},
	}})
	for _, p := range providers() {
		asked := response(p, item(p, "1", "shout", `{"text":"first"}`), item(p, "2", "own/shout", `{"text":"second"}`), item(p, "3", "whisper", `{}`))
		messages, err := toolset.Answer(t.Context(), p, asked)
		if err != nil {
			t.Fatal(err)
		}
		var all string
		for _, m := range messages {
			all += string(m) + "\n"
		}
		at := -1
		for _, part := range []string{"FIRST", "SECOND", `unknown tool \"whisper\"`} {
			next := strings.Index(all, part)
			if next <= at {
				t.Errorf("%s: %q comes at %d of\n%s", p, part, next, all)
			}
			at = next
		}
		if none, err := toolset.Answer(t.Context(), p, response(p)); err != nil || none != nil {
			t.Errorf("%s: no calls are answered with %s, %v", p, none, err)
		}
	}
}

func TestProviderErrors(t *testing.T) {
	toolset := testkit.Open(t, gander.Options{Roots: []string{t.TempDir()}, Tools: []string{"codex", "gemini", "forge", "toolkit"}})
	const unknown = `unknown provider "other"; the providers are: anthropic, gemini, openai, openai-responses`
	_, toolsErr := toolset.Tools("other")
	_, callErr := toolset.ReadCall("other", nil)
	_, callsErr := toolset.ReadCalls("other", nil)
	_, answerErr := toolset.Answer(t.Context(), "other", nil)
	for _, err := range []error{toolsErr, callErr, callsErr, answerErr} {
		if err == nil || err.Error() != unknown {
			t.Errorf("got %v, want %s", err, unknown)
		}
	}
	for _, p := range providers() {
		for _, item := range []string{``, `{`, `{}`, `{"type":"text","text":"a"}`, `null`} {
			if c, err := toolset.ReadCall(p, []byte(item)); err == nil {
				t.Errorf("%s: %s is the call %v", p, item, c)
			}
		}
		if calls, err := toolset.ReadCalls(p, []byte(`{"error":{"message":"overloaded"}}`)); err == nil {
			t.Errorf("%s: an error of the provider is %v", p, calls)
		}
	}
	if reply := (gander.ProviderCall{}).Reply(tool.Result{}, nil); reply != nil {
		t.Errorf("the reply to no call is %s", reply)
	}
}
