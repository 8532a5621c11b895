package provider

import (
	"strconv"

	"gander/tool"
)

// MCP returns the "tools" of a tools/list result, with every input schema byte for byte as published. It leaves out output
// schemas, because a client that sees one requires the content a second time, as structured content.
func MCP(defs []tool.Definition) []byte {
	return arrayOf(defs, func(dst []byte, d tool.Definition) []byte {
		dst = appendString(append(dst, `{"name":`...), d.Name)
		if d.Title != "" {
			dst = appendString(append(dst, `,"title":`...), d.Title)
		}
		dst = appendString(append(dst, `,"description":`...), d.Description)
		dst = append(append(dst, `,"inputSchema":`...), d.Input...)
		dst = append(dst, `,"annotations":{`...)
		if d.Title != "" {
			dst = append(appendString(append(dst, `"title":`...), d.Title), ',')
		}
		dst = strconv.AppendBool(append(dst, `"readOnlyHint":`...), !d.SideEffects)
		dst = strconv.AppendBool(append(dst, `,"destructiveHint":`...), d.SideEffects)
		dst = strconv.AppendBool(append(dst, `,"idempotentHint":`...), !d.SideEffects)
		dst = strconv.AppendBool(append(dst, `,"openWorldHint":`...), d.SideEffects)
		return append(dst, "}}"...)
	})
}
