package jsonl

import (
	"cmp"
	"errors"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"gander/tool"
)

// A reply is a line of output: the result of a call, the error of a request, or neither for a cancellation that was
// accepted.
type reply struct {
	id     string // JSON text, or empty if the request's id cannot be read
	result *tool.Result
	err    error
}

// appendTo appends the line to dst.
func (r reply) appendTo(dst []byte) []byte {
	dst = append(append(dst, `{"id":`...), cmp.Or(r.id, "null")...)
	dst = strconv.AppendBool(append(dst, `,"ok":`...), r.err == nil)
	switch {
	case r.err != nil:
		e, ok := errors.AsType[*tool.Error](r.err)
		if !ok {
			e = &tool.Error{Kind: tool.BadArguments, Message: r.err.Error()}
		}
		dst = appendField(dst, `,"error":{"kind":`, string(e.Kind))
		dst = appendOptional(dst, `,"code":`, e.Code)
		dst = appendField(dst, `,"message":`, e.Message)
		dst = append(appendOptional(dst, `,"display":`, e.Display), '}')
	case r.result != nil:
		dst = appendField(dst, `,"content":`, r.result.Text())
		dst = appendOptional(dst, `,"display":`, r.result.Display)
	}
	return append(dst, "}\n"...)
}

// appendOptional appends a field, unless its value is empty.
func appendOptional(dst []byte, key, value string) []byte {
	if value == "" {
		return dst
	}
	return appendField(dst, key, value)
}

// appendField appends a field, with U+FFFD for bytes of the value that are not UTF-8.
func appendField(dst []byte, key, value string) []byte {
	dst, _ = jsontext.AppendQuote(append(dst, key...), value) // the error only reports such bytes
	return dst
}
