package forge

import (
	"fmt"
	"strconv"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/tool"
)

// The values of truncated_reason.
const (
	byEntries = "max_entries"
	byBytes   = "max_output_bytes"
)

// minEntryBytes is the least size of an entry in an answer, without its name and path.
const minEntryBytes = len(`{"name":"","path":"","depth":1,"type":"dir","size_bytes":0,"modified_epoch_ms":0,"is_hidden":true,"error_code":null,"error":null}`)

// usualEntryBytes is a size that few entries exceed, without their names and paths.
const usualEntryBytes = 160

// render returns the answer in canonical JSON (FR-LD-OUT-02a), and the entries that are in it: the last ones are dropped
// until the answer fits the budget (FR-LD-OUT-03 to 08).
func render(r request, entries []entry, more bool, b tool.Budget) ([]entry, tool.Result, error) {
	head := append([]byte(`{"path":`), text.AppendQuote(nil, r.path)...)
	head = append(head, `,"entries":[`...)
	size := len(head)
	for i := range entries {
		size += len(entries[i].name) + len(entries[i].path) + usualEntryBytes
	}
	doc := append(make([]byte, 0, size), head...)
	ends := []int{len(head)} // ends[n] is where the first n entries end
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
			return entries[:n], tool.Result{Parts: tool.Text(content), Exact: true, Truncated: reason != ""}, nil
		}
		reason = byBytes // FR-LD-OUT-07: overrides max_entries
	}
	// FR-LD-OUT-08
	return nil, tool.Result{}, &tool.Error{
		Kind:    tool.Failed,
		Message: fmt.Sprintf("output budget too small: %d bytes cannot hold even an empty listing; raise it", limit),
	}
}

// tailOf returns what follows the entries of an answer with n entries. An empty reason means that it is complete.
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
	b = appendString(append(b, `,"error_code":`...), string(e.failure))
	b = appendString(append(b, `,"error":`...), e.failure.text())
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

// appendNumber appends a number, or null if it is not known.
func appendNumber(b []byte, n number) []byte {
	if !n.known {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, n.value, 10)
}

// appendString appends a string, or null if it is empty.
func appendString(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return text.AppendQuote(b, s)
}
