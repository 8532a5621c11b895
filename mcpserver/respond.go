package mcpserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"gander/internal/files/text"
)

const maxErrorText = 1 << 10

func failure(code int64, format string, args ...any) *jsonrpc.Error {
	return &jsonrpc.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// respondError returns the response to a request that failed, as JSON of a bounded length. If the
// request has no id that can be repeated, id is zero.
//
// The SDK's errors about the state of a session have no code, and it would send 0 (go-sdk issue
// 976). It also writes data that is not JSON (mcp.ResourceNotFoundError), and could not send it.
func respondError(id jsonrpc.ID, err error) []byte {
	response := struct {
		Version string        `json:"jsonrpc"`
		ID      any           `json:"id"`
		Error   jsonrpc.Error `json:"error"`
	}{Version: "2.0", ID: id.Raw()}
	response.Error = jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: clip(err.Error())}
	coded, ok := errors.AsType[*jsonrpc.Error](err)
	if ok && coded.Code != 0 {
		response.Error.Code = coded.Code
		if len(coded.Data) <= maxErrorText {
			response.Error.Data = coded.Data
		}
	}
	text, err := json.Marshal(response)
	if err != nil {
		return respondError(id, failure(jsonrpc.CodeInternalError, "the response cannot be encoded"))
	}
	return text
}

// clip escapes the text of an error, and shortens one that repeats what the client has sent.
func clip(message string) string {
	if len(message) > maxErrorText {
		message = strings.ToValidUTF8(message[:maxErrorText/4], "") + "... (shortened)"
	}
	return text.EscapeLines(message)
}
