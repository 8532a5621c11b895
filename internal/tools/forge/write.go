package forge

import (
	"fmt"
	"strconv"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// write returns the result in canonical JSON, without the last entries that do not fit the budget.
func (r request) write(entries []entry, more bool, b tool.Budget) (tool.Result, error) {
	list := shared.Tree{
		Text:  text.AppendQuote([]byte(`{"path":`), r.path),
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
			return "max_output_bytes" // overrides max_entries
		case more:
			return "max_entries"
		default:
			return ""
		}
	}
	content, n := list.Finish(0, func(n int) string {
		why := appendString(nil, reason(n))
		return fmt.Sprintf(`],"returned":%d,"max_entries":%d,"truncated":%t,"truncated_reason":%s}`,
			n, r.maxEntries, reason(n) != "", why)
	})
	if n < 0 {
		limit, _ := b.Limit()
		message := "output budget too small: %d bytes cannot hold even an empty listing; raise it"
		return tool.Result{}, &tool.Error{Kind: tool.Failed, Message: fmt.Sprintf(message, limit)}
	}
	return tool.Result{Parts: tool.Text(content), Exact: true, Truncated: reason(n) != ""}, nil
}

// appendEntry appends an entry with its keys in the published order.
func appendEntry(b []byte, e *entry) []byte {
	b = text.AppendQuote(append(b, `{"name":`...), e.name)
	b = text.AppendQuote(append(b, `,"path":`...), e.path)
	b = strconv.AppendInt(append(b, `,"depth":`...), int64(e.depth), 10)
	b = append(append(append(b, `,"type":"`...), typeOf(e.kind)...), '"')
	b = appendNumber(append(b, `,"size_bytes":`...), e.size)
	b = appendNumber(append(b, `,"modified_epoch_ms":`...), e.modified)
	b = strconv.AppendBool(append(b, `,"is_hidden":`...), e.name[0] == '.')
	b = appendString(append(b, `,"error_code":`...), e.failure.code)
	b = appendString(append(b, `,"error":`...), e.failure.text)
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

// appendString appends a string, or null if it is empty.
func appendString(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return text.AppendQuote(b, s)
}
