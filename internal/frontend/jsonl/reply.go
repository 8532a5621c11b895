package jsonl

import (
	"cmp"
	"errors"
	"io"
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

// pieceLen is how many bytes of an answer's text are quoted and written at once, so that a long answer is not held twice.
const pieceLen = 16 << 10

// writeTo writes the line. It uses buf as a buffer and returns it, possibly grown.
func (r reply) writeTo(out io.Writer, buf []byte) ([]byte, error) {
	buf = append(append(buf[:0], `{"id":`...), cmp.Or(r.id, "null")...)
	buf = strconv.AppendBool(append(buf, `,"ok":`...), r.err == nil)
	switch {
	case r.err != nil:
		buf = appendError(buf, r.err)
	case r.definitions != nil:
		buf = append(append(buf, `,"definitions":`...), r.definitions...)
	case r.result != nil:
		var err error
		if buf, err = writeText(out, append(buf, `,"content":"`...), r.result.Text()); err != nil {
			return buf, err
		}
		buf = appendOptional(append(buf, '"'), `,"display":`, r.result.Display)
	}
	buf = append(buf, "}\n"...)
	_, err := out.Write(buf)
	return buf, err
}

// writeText quotes a text in pieces. It writes all but the last, each after what is in buf, and appends the last to buf.
func writeText(out io.Writer, buf []byte, text string) ([]byte, error) {
	for text = wellFormed(text); len(text) > pieceLen; {
		end := pieceLen
		for !utf8.RuneStart(text[end]) {
			end--
		}
		buf = appendQuoted(buf, text[:end])
		if _, err := out.Write(buf); err != nil {
			return buf, err
		}
		buf, text = buf[:0], text[end:]
	}
	return appendQuoted(buf, text), nil
}

// appendQuoted appends a text as in a JSON string, without the quotation marks around it.
func appendQuoted(buf []byte, text string) []byte {
	start := len(buf)
	buf, _ = jsontext.AppendQuote(buf, text) // It fails only for other than UTF-8.
	return append(buf[:start], buf[start+1:len(buf)-1]...)
}

func appendError(buf []byte, err error) []byte {
	e, ok := errors.AsType[*tool.Error](err)
	if !ok {
		e = &tool.Error{Kind: tool.BadArguments, Message: err.Error()}
	}
	buf = appendField(buf, `,"error":{"kind":`, string(e.Kind))
	buf = appendOptional(buf, `,"code":`, e.Code)
	buf = appendField(buf, `,"message":`, e.Message)
	return append(appendOptional(buf, `,"display":`, e.Display), '}')
}

// appendOptional appends a field, unless its value is empty.
func appendOptional(dst []byte, key, value string) []byte {
	if value == "" {
		return dst
	}
	return appendField(dst, key, value)
}

// appendField appends a field.
func appendField(dst []byte, key, value string) []byte {
	dst, _ = jsontext.AppendQuote(append(dst, key...), wellFormed(value)) // It fails only for other than UTF-8.
	return dst
}

// wellFormed returns a text with one U+FFFD for each maximal part that is not UTF-8.
func wellFormed(text string) string {
	if !utf8.ValidString(text) {
		text, _ = unicode.UTF8.NewDecoder().String(text) // It accepts all bytes.
	}
	return text
}
