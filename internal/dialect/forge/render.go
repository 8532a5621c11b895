package forge

import (
	"fmt"
	"strconv"

	"gander/internal/engine/text"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// The values of truncated_reason.
const (
	byEntries = "max_entries"
	byBytes   = "max_output_bytes"
)

// leastEntry is the least that an entry comes to, in bytes, without its name and path.
const leastEntry = len(`{"name":"","path":"","depth":1,"type":"dir","size_bytes":0,"modified_epoch_ms":0,"is_hidden":true,"error_code":null,"error":null}`)

// entryBytes is what an entry comes to, in bytes, without its name and path; few come to more.
const entryBytes = 160

// render writes the canonical JSON (FR-LD-OUT-02a) and drops entries from its end until it fits (FR-LD-OUT-03 to 08).
func render(r request, entries []entry, more bool, b tool.Budget) (tool.Result, error) {
	head := append([]byte(`{"path":`), text.AppendQuote(nil, r.path)...)
	head = append(head, `,"entries":[`...)
	size := len(head)
	for i := range entries {
		size += len(entries[i].name) + len(entries[i].path) + entryBytes
	}
	doc := append(make([]byte, 0, size), head...)
	ends := []int{len(head)} // ends[n] is where n entries end
	for i := range entries {
		if i > 0 {
			doc = append(doc, ',')
		}
		doc = appendEntry(doc, &entries[i])
		ends = append(ends, len(doc))
	}
	reason := ""
	if more {
		reason = byEntries
	}
	limit, limited := b.Limit()
	for n := len(entries); n >= 0; n-- {
		tail := tailOf(n, r.maxEntries, reason)
		if !limited || ends[n]+len(tail) <= limit {
			content := string(doc[:ends[n]]) + tail
			return tool.Result{Parts: tool.Text(content), Exact: true, Truncated: reason != ""}, nil
		}
		reason = byBytes // FR-LD-OUT-07: overrides max_entries
	}
	// FR-LD-OUT-08
	return tool.Result{}, &tool.Error{
		Kind:    tool.Failed,
		Message: fmt.Sprintf("output budget too small: %d bytes cannot hold even an empty listing; raise it", limit),
	}
}

// tailOf is what follows the entries of an answer that returns n.
func tailOf(n, maxEntries int, reason string) string {
	truncated := "false,\"truncated_reason\":null}"
	if reason != "" {
		truncated = "true,\"truncated_reason\":\"" + reason + "\"}"
	}
	return "],\"returned\":" + strconv.Itoa(n) + ",\"max_entries\":" + strconv.Itoa(maxEntries) + ",\"truncated\":" + truncated
}

// appendEntry writes an entry with its keys in the order of section 3.5.
func appendEntry(b []byte, e *entry) []byte {
	b = text.AppendQuote(append(b, `{"name":`...), e.name)
	b = text.AppendQuote(append(b, `,"path":`...), e.path)
	b = strconv.AppendInt(append(b, `,"depth":`...), int64(e.depth), 10)
	b = append(append(append(b, `,"type":"`...), typeOf(e.kind)...), '"')
	b = appendNumber(append(b, `,"size_bytes":`...), e.size)
	b = appendNumber(append(b, `,"modified_epoch_ms":`...), e.modified)
	b = strconv.AppendBool(append(b, `,"is_hidden":`...), e.name[0] == '.')
	b = appendText(append(b, `,"error_code":`...), e.failure.code)
	b = appendText(append(b, `,"error":`...), e.failure.text)
	return append(b, '}')
}

func typeOf(kind workspace.EntryKind) string {
	switch kind {
	case workspace.Regular:
		return "file"
	case workspace.Directory:
		return "dir"
	case workspace.Symlink:
		return "symlink"
	case workspace.Other:
		return "other"
	default:
		return "unknown"
	}
}

func appendNumber(b []byte, n number) []byte {
	if !n.known {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, n.value, 10)
}

func appendText(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return text.AppendQuote(b, s)
}
