package jsonl

import (
	"errors"
	"io"

	"gander/internal/engine/text"
	"gander/tool"
)

// A reply is a line of output. Its content, which may be long, is quoted in pieces as it is written.
type reply struct {
	before  []byte
	content string
	after   []byte
}

// pieceLen is the number of bytes of content that are quoted and written at once.
const pieceLen = 16 << 10

// writeTo writes the line. It uses scratch as a buffer and returns it, possibly grown.
func (r reply) writeTo(out io.Writer, scratch []byte) ([]byte, error) {
	scratch = append(scratch[:0], r.before...)
	for rest := r.content; len(rest) > 0; {
		piece := rest[:min(len(rest), pieceLen)]
		rest = rest[len(piece):]
		scratch = text.AppendQuoted(scratch, piece)
		if len(rest) > 0 {
			if _, err := out.Write(scratch); err != nil {
				return scratch, err
			}
			scratch = scratch[:0]
		}
	}
	scratch = append(scratch, r.after...)
	_, err := out.Write(scratch)
	return scratch, err
}

// success returns the reply to a call that succeeded.
func success(id string, result tool.Result) reply {
	r := reply{before: append(begin(id, true), `,"content":"`...), content: text.WellFormed(result.Text())}
	r.after = append(r.after, '"')
	if result.Display != "" {
		r.after = appendField(r.after, `,"display":`, result.Display)
	}
	r.after = append(r.after, "}\n"...)
	return r
}

// accepted returns the reply to a cancellation.
func accepted(id string) reply { return reply{before: append(begin(id, true), "}\n"...)} }

// failure returns the reply to a request that failed. An empty id is written as null.
func failure(id string, err error) reply {
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
	return reply{before: append(line, "}}\n"...)}
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
	return text.AppendQuote(append(line, key...), text.WellFormed(value))
}
