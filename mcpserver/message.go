package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"gander/internal/jsonobject"
)

const (
	// maxMessage is the maximum size of a line of standard input or the body of a request.
	maxMessage = 1 << 20
	// maxID is the maximum size of an id that is a string, because each response repeats one.
	maxID = 1 << 10
)

// whiteSpace is what JSON permits around a message. Package bytes would also trim U+00A0.
const whiteSpace = " \t\r\n"

var (
	errSyntax = failure(jsonrpc.CodeParseError, "parse error: the message is not JSON")
	errBatch  = failure(jsonrpc.CodeInvalidRequest,
		"batches are not supported; send each message alone")
	// errUsed is the error of a request whose id is in use. The response has no id, because the other
	// request gets one with it.
	errUsed = failure(jsonrpc.CodeInvalidRequest, "the id is that of a request still under way")
)

// A message is what a client has sent. It goes to the SDK, or is refused, or is ignored. What goes
// to the SDK has an id that it can repeat, a method of the server, and an object as parameters.
type message struct {
	decoded  jsonrpc.Message // for the SDK; nil if the message is refused or ignored
	canceled jsonrpc.ID      // the id of the request that a notification cancels
	id       jsonrpc.ID      // the id of a refused request, if it can be repeated
	refused  error           // why it is refused, if it is
}

// ignored is a message that gets no response although it is wrong: a notification or a response.
var ignored = message{}

// request returns the request for the SDK, or nil if the message is none.
func (m message) request() *jsonrpc.Request {
	request, ok := m.decoded.(*jsonrpc.Request)
	if !ok || !request.IsCall() {
		return nil
	}
	return request
}

// parseMessage checks a message. It ignores what it would refuse if that gets no response.
func parseMessage(text []byte) message {
	o, err := jsonobject.Parse(text)
	if err != nil {
		return refuseText(text, err)
	}
	_, hasMethod := o.Get("method")
	_, hasID := o.Get("id")
	_, hasResult := o.Get("result")
	_, hasError := o.Get("error")
	isResponse := hasResult || hasError
	if isResponse && !hasMethod {
		response, err := jsonrpc.DecodeMessage(text)
		if err != nil {
			return ignored
		}
		return message{decoded: response}
	}
	m := parseRequest(o)
	isNotification := hasMethod && !hasID
	if isNotification && m.refused != nil {
		return ignored
	}
	return m
}

// refuseText refuses text that is no strict JSON object. The response has its id, if that is clear.
func refuseText(text []byte, problem error) message {
	if !json.Valid(text) {
		return message{refused: errSyntax}
	}
	switch text[0] {
	case '{':
	case '[':
		return message{refused: errBatch}
	default:
		return message{refused: failure(jsonrpc.CodeInvalidRequest, "a message must be a JSON object")}
	}
	ids, hasMethod := outline(text)
	isNotification := hasMethod && len(ids) == 0
	if isNotification {
		return ignored
	}
	refused := message{refused: problem}
	if len(ids) != 1 {
		return refused
	}
	o, err := jsonobject.Parse(fmt.Appendf(nil, `{"id":%s}`, ids[0]))
	if err == nil {
		refused.id, _ = parseID(o, "id")
	}
	return refused
}

// outline returns the ids in a JSON object, and whether it has a method. The text is valid.
func outline(text []byte) (ids []json.RawMessage, hasMethod bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	_, _ = d.Token()
	for d.More() {
		var value json.RawMessage
		key, _ := d.Token()
		_ = d.Decode(&value)
		switch key {
		case "id":
			ids = append(ids, value)
		case "method":
			hasMethod = true
		}
	}
	return ids, hasMethod
}

// parseRequest returns a request or a notification, or a refused one with its id, if that is valid.
func parseRequest(o *jsonobject.Object) message {
	id, err := parseID(o, "id")
	if err != nil {
		return message{refused: err}
	}
	value, _ := o.Get("jsonrpc")
	version, _ := value.Text()
	value, _ = o.Get("method")
	method, isText := value.Text()
	params, _ := o.Get("params")
	switch {
	case version != "2.0":
		return message{id: id, refused: failure(jsonrpc.CodeInvalidRequest, `jsonrpc must be "2.0"`)}
	case !isText:
		return message{id: id, refused: failure(jsonrpc.CodeInvalidRequest,
			"a request must have a method, a string")}
	}
	request := &jsonrpc.Request{ID: id, Method: method}
	err = checkMethod(method, request.IsCall())
	if err == nil {
		err = readParams(request, params)
	}
	switch {
	case err != nil:
		return message{id: id, refused: err}
	case method == cancelled:
		return parseCancellation(params)
	}
	return message{decoded: request}
}

// parseCancellation returns the notification that cancels a request, which the SDK needs to know.
func parseCancellation(params jsonobject.Value) message {
	o, _ := params.Object()
	id, err := parseID(o, "requestId")
	if err != nil || !id.IsValid() {
		return ignored
	}
	quoted, _ := json.Marshal(id.Raw()) // A string or a number can be encoded.
	return message{canceled: id, decoded: &jsonrpc.Request{
		Method: cancelled, Params: fmt.Appendf(nil, `{"requestId":%s}`, quoted),
	}}
}

// parseID returns the id in a member of an object. Without the member it returns a zero ID.
func parseID(o *jsonobject.Object, key string) (jsonrpc.ID, error) {
	value, ok := o.Get(key)
	if !ok {
		return jsonrpc.ID{}, nil
	}
	text, isText := value.Text()
	n, err := value.Integer()
	switch {
	case isText && len(text) <= maxID:
		return jsonrpc.MakeID(text)
	case err == nil && -1<<53 < n && n < 1<<53:
		return jsonrpc.MakeID(float64(n))
	}
	return jsonrpc.ID{}, failure(jsonrpc.CodeInvalidRequest,
		"an id must be a string of at most %d bytes, or an integer of less than 2^53", maxID)
}
