// Package provider knows how the model providers' interfaces, and MCP, take the definition of a tool. It knows no tool,
// and sends nothing anywhere.
//
// Each format is a JSON array to be put into a request as it is. Schemas are inserted byte for byte as published.
package provider

import (
	"strconv"

	"gander/internal/text"
	"gander/tool"
)

// A Format writes definitions as one interface takes them, each on a line of its own.
type Format func([]tool.Definition) []byte

// Formats returns the formats by name.
func Formats() map[string]Format {
	return map[string]Format{"mcp": MCP, "openai": OpenAI, "anthropic": Anthropic, "gemini": Gemini}
}

// MCP writes the "tools" of a tools/list result. Output schemas are left out: clients that see one demand the content a
// second time, as structured content.
func MCP(defs []tool.Definition) []byte {
	return array(defs, func(dst []byte, d tool.Definition) []byte {
		dst = head(dst, d.Name)
		if d.Title != "" {
			dst = text.AppendQuote(append(dst, `,"title":`...), d.Title)
		}
		dst = described(dst, d, "inputSchema")
		dst = append(dst, `,"annotations":{`...)
		if d.Title != "" {
			dst = append(text.AppendQuote(append(dst, `"title":`...), d.Title), ',')
		}
		dst = strconv.AppendBool(append(dst, `"readOnlyHint":`...), !d.SideEffects)
		dst = strconv.AppendBool(append(dst, `,"destructiveHint":`...), d.SideEffects)
		dst = strconv.AppendBool(append(dst, `,"idempotentHint":`...), !d.SideEffects)
		dst = strconv.AppendBool(append(dst, `,"openWorldHint":`...), d.SideEffects)
		return append(dst, "}}"...)
	})
}

// OpenAI writes the "tools" of a request to OpenAI's chat completions, and to the many interfaces made after them. The
// schemas are not of the subset that "strict" asks for, so it is not set.
func OpenAI(defs []tool.Definition) []byte {
	return array(defs, func(dst []byte, d tool.Definition) []byte {
		dst = head(append(dst, `{"type":"function","function":`...), d.Name)
		return append(described(dst, d, "parameters"), "}}"...)
	})
}

// Anthropic writes the "tools" of a request to Anthropic's messages.
func Anthropic(defs []tool.Definition) []byte {
	return array(defs, func(dst []byte, d tool.Definition) []byte {
		return append(described(head(dst, d.Name), d, "input_schema"), '}')
	})
}

// Gemini writes the "tools" of a request to Gemini's generateContent: one tool with all functions. The schemas go where
// Gemini takes JSON Schema, rather than its own dialect of it.
func Gemini(defs []tool.Definition) []byte {
	functions := array(defs, func(dst []byte, d tool.Definition) []byte {
		return append(described(head(dst, d.Name), d, "parametersJsonSchema"), '}')
	})
	return append(append([]byte(`[{"functionDeclarations":`), functions...), "}]"...)
}

func array(defs []tool.Definition, element func([]byte, tool.Definition) []byte) []byte {
	dst := []byte("[")
	for i, d := range defs {
		if i > 0 {
			dst = append(dst, ",\n"...)
		}
		dst = element(dst, d)
	}
	return append(dst, ']')
}

func head(dst []byte, name string) []byte {
	return text.AppendQuote(append(dst, `{"name":`...), name)
}

// described appends the description, and the schema under the key that the format has for it.
func described(dst []byte, d tool.Definition, schema string) []byte {
	dst = text.AppendQuote(append(dst, `,"description":`...), d.Description)
	dst = append(text.AppendQuote(append(dst, ','), schema), ':')
	return append(dst, d.Input...)
}
