package jsonl

import (
	"errors"
	"slices"
	"unicode/utf8"

	"gander/internal/text"
	"gander/tool"
)

// success is the reply to a call that was answered.
func success(id string, result tool.Result) []byte {
	line := begin(id, true)
	line = appendField(line, `,"content":`, result.Content)
	if result.Display != "" {
		line = appendField(line, `,"display":`, result.Display)
	}
	return append(line, "}\n"...)
}

// accepted is the reply to a cancellation.
func accepted(id string) []byte { return append(begin(id, true), "}\n"...) }

// failure is the reply to whatever went wrong. No id is written as null.
func failure(id string, err error) []byte {
	var e *tool.Error
	if !errors.As(err, &e) {
		e = &tool.Error{Kind: tool.BadArguments, Message: err.Error()}
	}
	line := append(begin(id, false), `,"error":{`...)
	line = appendField(line, `"kind":`, string(e.Kind))
	if e.Code != "" {
		line = appendField(line, `,"code":`, e.Code)
	}
	line = appendField(line, `,"message":`, e.Message)
	if e.Display != "" {
		line = appendField(line, `,"display":`, e.Display)
	}
	return append(line, "}}\n"...)
}

func begin(id string, ok bool) []byte {
	if id == "" {
		id = "null"
	}
	line := append([]byte(`{"id":`), id...)
	if ok {
		return append(line, `,"ok":true`...)
	}
	return append(line, `,"ok":false`...)
}

func appendField(line []byte, key, value string) []byte {
	if !utf8.ValidString(value) {
		value = text.Lossy([]byte(value))
	}
	line = slices.Grow(line, len(key)+len(value)+len(value)/8) // a listing of short lines grows by about that
	return text.AppendQuote(append(line, key...), value)
}
