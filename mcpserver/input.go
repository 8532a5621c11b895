package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"gander/internal/frontend/framing"
	"gander/internal/frontend/message"
)

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
	batched  bool // the session's revision has batches
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
			err = i.refuse(message.Refuse(nil, jsonrpc.CodeParseError, "parse error: "+err.Error()))
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
	case message.IsBatch(text):
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
	members, refused := message.Members(text)
	if refused == nil && !i.batched {
		refused = message.Refuse(nil, jsonrpc.CodeInvalidRequest, "the revision of this session has no batches; send one message a line")
	}
	if refused != nil {
		return i.refuse(refused)
	}
	var calls []json.RawMessage
	var others []jsonrpc.Message
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

// admit decodes a message. It enters a call in the calls, after waiting while too many are unanswered. If text is not a
// message, or its id belongs to another call, admit refuses it and returns nil.
//
// The SDK does not answer a call under the id of another (Connection.acceptRequest), which is tested by the transcript
// "id_in_use".
func (i *input) admit(text []byte, batched bool) (jsonrpc.Message, error) {
	msg, refused := message.Decode(text)
	if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() {
		if req.Method == "initialize" {
			i.batched = message.HasBatches(askedRevision(req.Params))
		}
		if err := i.calls.wait(i.ctx, i.calls.roomForOne); err != nil {
			return nil, err
		}
		if !i.calls.open(req, batched) {
			msg, refused = nil, message.Refuse(nil, jsonrpc.CodeInvalidRequest, "the id is that of a request still under way")
		}
	} else if ok && req.Method == "notifications/cancelled" {
		i.calls.cancel(cancelledID(req.Params))
	}
	if refused != nil {
		return nil, i.refuse(refused)
	}
	return msg, nil
}

// askedRevision returns the revision that a handshake asks for.
func askedRevision(params json.RawMessage) string {
	var p struct {
		Revision string `json:"protocolVersion"`
	}
	_ = json.Unmarshal(params, &p) // The SDK refuses what is not an object.
	return p.Revision
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

func (i *input) refuse(r *message.Refusal) error {
	i.logger.Warn("message refused", "error", r.Error.Message)
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = i.client.Write(append(line, '\n'))
	return err
}
