package jsonl

import (
	"cmp"
	"errors"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/encoding/unicode"

	"gander/tool"
)

// A reply is a line of output: the result of a call, the definitions of the tools, the error of a request, or none of these for
// a cancellation that was accepted.
type reply struct {
	id     string // JSON text, or empty if the request's id cannot be read
	result *tool.Result
	// definitions are JSON text, nil in all other replies.
	definitions []byte
	err         error
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
	case r.definitions != nil:
		dst = append(append(dst, `,"definitions":`...), r.definitions...)
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

// appendField appends a field, with one U+FFFD for each maximal part of the value that is not UTF-8.
func appendField(dst []byte, key, value string) []byte {
	if !utf8.ValidString(value) {
		value, _ = unicode.UTF8.NewDecoder().String(value) // It accepts all bytes.
	}
	dst, _ = jsontext.AppendQuote(append(dst, key...), value) // It fails only for other than UTF-8.
	return dst
}
