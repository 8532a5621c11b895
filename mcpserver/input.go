package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"gander/internal/frontend/framing"
)

// maxBatch is the most messages a batch may hold. It is less than [maxCalls]: the calls of a batch start together.
const maxBatch = 64

// An input forwards the client's messages to the SDK.
//
// It answers lines that the SDK cannot decode. The SDK ends the session at the first of them: go-sdk issue 1209, tested by
// the transcript "faults" and by TestLongLine.
type input struct {
	ctx      context.Context
	messages chan received
	batches  io.Writer
	client   io.Writer
	logger   *slog.Logger
	calls    *calls
}

// received is a message, or a number of messages that were sent as a batch to the SDK's connection.
type received struct {
	msg   jsonrpc.Message
	batch int
}

// forward forwards messages until in ends and every call is answered, and returns why it stopped. The SDK drops the
// answers that are missing when its input ends: go-sdk issue 1061, tested by the transcripts "ended_input*".
func (i *input) forward(in io.Reader) error {
	r := framing.NewReader(in)
	for {
		line, err := r.Next()
		switch {
		case errors.Is(err, framing.ErrTooLong):
			err = i.refuse(newRefusal(nil, jsonrpc.CodeParseError, "parse error: "+err.Error()))
		case err != nil:
			if ended := i.calls.wait(i.ctx, i.calls.allAnswered); ended != nil {
				return ended
			}
			return err
		default:
			err = i.forwardLine(bytes.TrimSpace(line))
		}
		if err != nil {
			return err
		}
	}
}

func (i *input) forwardLine(text []byte) error {
	switch {
	case len(text) == 0:
		return nil
	case !json.Valid(text):
		return i.refuse(newRefusal(nil, jsonrpc.CodeParseError, "parse error: the line is not JSON"))
	case text[0] == '[':
		return i.forwardBatch(text)
	}
	msg, err := i.admit(text, false)
	if msg == nil || err != nil {
		return err
	}
	return i.deliver(received{msg: msg})
}

// forwardBatch forwards the calls of a batch as one, and its other members one by one. In a batch the SDK waits for the
// answers to notifications: go-sdk issue 1256, tested by the transcript "batch".
func (i *input) forwardBatch(text []byte) error {
	var members, calls []json.RawMessage
	var others []jsonrpc.Message
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	if len(members) == 0 || len(members) > maxBatch {
		return i.refuse(newRefusal(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a batch holds 1 to %d messages, this one %d", maxBatch, len(members))))
	}
	for _, m := range members {
		msg, err := i.admit(m, true)
		if err != nil {
			return err
		}
		if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() {
			calls = append(calls, m)
		} else if msg != nil {
			others = append(others, msg)
		}
	}
	if len(calls) > 0 {
		batch, err := json.Marshal(calls)
		if err != nil {
			return err
		}
		if err := i.deliver(received{batch: len(calls)}); err != nil {
			return err
		}
		if _, err := i.batches.Write(append(batch, '\n')); err != nil {
			return err
		}
	}
	for _, msg := range others {
		if err := i.deliver(received{msg: msg}); err != nil {
			return err
		}
	}
	return nil
}

func (i *input) deliver(r received) error {
	select {
	case i.messages <- r:
		return nil
	case <-i.ctx.Done():
		return context.Cause(i.ctx)
	}
}

// admit returns the message that text is, and enters it in the calls if it is one. It refuses text if it is not a message
// or its id belongs to another call, and returns nil. A call waits here while too many are unanswered.
//
// The SDK does not answer a call under the id of another (Connection.acceptRequest), which is tested by the transcript
// "id_in_use".
func (i *input) admit(text []byte, batched bool) (jsonrpc.Message, error) {
	msg, refused := decode(text)
	if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() {
		if err := i.calls.wait(i.ctx, i.calls.roomForOne); err != nil {
			return nil, err
		}
		if !i.calls.open(req, batched) {
			msg, refused = nil, newRefusal(nil, jsonrpc.CodeInvalidRequest, "the id is that of a request still under way")
		}
	} else if ok && req.Method == "notifications/cancelled" {
		i.calls.cancel(cancelledID(req.Params))
	}
	if refused != nil {
		return nil, i.refuse(refused)
	}
	return msg, nil
}

// decode returns the message that text is. If it is none, decode returns the refusal to answer it with, or nil for
// something that must not be answered.
//
// Beside what the SDK cannot decode, it refuses ids that the SDK would answer under another id, because it reads numbers
// as float64 and cuts them to integers (jsonrpc2.MakeID): go-sdk pull request 1253, tested by TestDecode.
func decode(text []byte) (jsonrpc.Message, *refusal) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &fields) != nil || fields == nil {
		return nil, newRefusal(nil, jsonrpc.CodeInvalidRequest, "a message is a JSON object")
	}
	raw, identified := fields["id"]
	id, exact := readID(raw)
	msg, err := jsonrpc.DecodeMessage(text)
	if identified && !exact {
		err = errors.New("an id is a string, or an integer of less than 2^53")
	}
	if err == nil {
		return msg, nil
	}
	if fields["method"] == nil && (fields["result"] != nil || fields["error"] != nil) {
		return nil, nil // a faulty answer, whose refusal could be refused in turn
	}
	return nil, newRefusal(id, jsonrpc.CodeInvalidRequest, err.Error())
}

// readID returns the id to refuse a message under, nil if it has none, and whether the SDK would answer under the same.
func readID(raw json.RawMessage) (id json.RawMessage, exact bool) {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil, false
	}
	switch v := v.(type) {
	case string:
		return raw, true
	case float64:
		return raw, v == math.Trunc(v) && math.Abs(v) < 1<<53
	default:
		return nil, false
	}
}

// cancelledID returns the id that a notification of cancellation names.
func cancelledID(params json.RawMessage) jsonrpc.ID {
	var p struct {
		ID any `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return jsonrpc.ID{}
	}
	id, err := jsonrpc.MakeID(p.ID)
	if err != nil {
		return jsonrpc.ID{}
	}
	return id
}

// A refusal is the answer to something that the SDK is not given.
type refusal struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   jsonrpc.Error   `json:"error"`
}

func newRefusal(id json.RawMessage, code int64, message string) *refusal {
	return &refusal{"2.0", id, jsonrpc.Error{Code: code, Message: message}}
}

func (i *input) refuse(r *refusal) error {
	i.logger.Warn("message refused", "error", r.Error.Message)
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = i.client.Write(append(line, '\n'))
	return err
}
