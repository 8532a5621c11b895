package provider

import (
	"encoding/json"
	"strings"
	"testing"

	"gander/tool"
)

func definitions() []tool.Definition {
	return []tool.Definition{
		{Name: "look", Spec: tool.Spec{
			ID: "a/look", Name: "look", Title: "Look", Description: "Looks at \"things\" <once>\u2028.",
			Input:  json.RawMessage(`{"type":"object", "properties":{"b":{},"a":{}}}`),
			Output: json.RawMessage(`{"type":"object"}`),
		}},
		{Name: "b_poke", Spec: tool.Spec{ID: "b/poke", Name: "poke", Input: json.RawMessage(`{"type":"object"}`), SideEffects: true}},
	}
}

func TestFormats(t *testing.T) {
	const schema, text = `{"type":"object", "properties":{"b":{},"a":{}}}`, "\"Looks at \\\"things\\\" <once>\u2028.\""
	for name, want := range map[string]string{
		"mcp": `[{"name":"look","title":"Look","description":` + text + `,"inputSchema":` + schema + `,"annotations":{"title":"Look","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}},
{"name":"b_poke","description":"","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true}}]`,
		"openai": `[{"type":"function","function":{"name":"look","description":` + text + `,"parameters":` + schema + `}},
{"type":"function","function":{"name":"b_poke","description":"","parameters":{"type":"object"}}}]`,
		"anthropic": `[{"name":"look","description":` + text + `,"input_schema":` + schema + `},
{"name":"b_poke","description":"","input_schema":{"type":"object"}}]`,
		"gemini": `[{"functionDeclarations":[{"name":"look","description":` + text + `,"parametersJsonSchema":` + schema + `},
{"name":"b_poke","description":"","parametersJsonSchema":{"type":"object"}}]}]`,
	} {
		t.Run(name, func(t *testing.T) {
			format, found := Formats()[name]
			if !found {
				t.Fatal("no such format")
			}
			got := format(definitions())
			if string(got) != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if !json.Valid(got) {
				t.Error("not JSON")
			}
			if none := string(format(nil)); !json.Valid([]byte(none)) || strings.Contains(none, "name") {
				t.Errorf("without tools: %s", none)
			}
		})
	}
	if n := len(Formats()); n != 4 {
		t.Errorf("%d formats", n)
	}
}
