package provider

import (
	"strconv"

	"gander/tool"
)

// MCP writes the "tools" of a tools/list result, with every schema byte for byte as published. Output schemas are left
// out: clients that see one demand the content a second time, as structured content.
func MCP(defs []tool.Definition) []byte {
	return array(defs, func(dst []byte, d tool.Definition) []byte {
		dst = field(append(dst, `{"name":`...), d.Name)
		if d.Title != "" {
			dst = field(append(dst, `,"title":`...), d.Title)
		}
		dst = field(append(dst, `,"description":`...), d.Description)
		dst = append(append(dst, `,"inputSchema":`...), d.Input...)
		dst = append(dst, `,"annotations":{`...)
		if d.Title != "" {
			dst = append(field(append(dst, `"title":`...), d.Title), ',')
		}
		dst = strconv.AppendBool(append(dst, `"readOnlyHint":`...), !d.SideEffects)
		dst = strconv.AppendBool(append(dst, `,"destructiveHint":`...), d.SideEffects)
		dst = strconv.AppendBool(append(dst, `,"idempotentHint":`...), !d.SideEffects)
		dst = strconv.AppendBool(append(dst, `,"openWorldHint":`...), d.SideEffects)
		return append(dst, "}}"...)
	})
}
