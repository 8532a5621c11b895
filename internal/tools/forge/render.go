package forge

import (
	"fmt"
	"strconv"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
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

// render returns the result in canonical JSON (FR-LD-OUT-02a). The last entries are dropped until
// it fits the budget (FR-LD-OUT-03 to 08).
func render(r request, entries []entry, more bool, b tool.Budget) (tool.Result, error) {
	size := len(r.path) + usualEntryBytes
	for i := range entries {
		size += len(entries[i].name) + len(entries[i].path) + usualEntryBytes
	}
	list := shared.Tree{
		Text:  text.AppendQuote(append(make([]byte, 0, size), `{"path":`...), r.path),
		Close: func(b []byte, _ shared.Node, _ int) []byte { return b },
	}
	list.Text = append(list.Text, `,"entries":[`...)
	list.Limit(b)
	for i := range entries {
		list.Begin(0)
		list.Text = appendEntry(list.Text, &entries[i])
		list.End(shared.Node{})
	}
	reason := func(n int) string {
		switch {
		case n < len(entries):
			return byBytes // FR-LD-OUT-07: overrides max_entries
		case more:
			return byEntries
		default:
			return ""
		}
	}
	content, n := list.Finish(0, func(n int) string { return tailOf(n, r.maxEntries, reason(n)) })
	if n < 0 { // FR-LD-OUT-08
		limit, _ := b.Limit()
		message := "output budget too small: %d bytes cannot hold even an empty listing; raise it"
		return tool.Result{}, &tool.Error{Kind: tool.Failed, Message: fmt.Sprintf(message, limit)}
	}
	return tool.Result{Parts: tool.Text(content), Exact: true, Truncated: reason(n) != ""}, nil
}

// tailOf returns what follows the entries of a result with n entries. An empty reason means that it
// is complete.
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
