package mcpserver

import (
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"gander/internal/jsonobject"
)

const (
	listen    = "subscriptions/listen"
	cancelled = "notifications/cancelled"
)

// methods are the methods of the server. The SDK has those of resources, prompts, completion and
// logging too, even if the server has none of these capabilities.
var methods = map[string]bool{
	"initialize": true, "ping": true, "server/discover": true, "tools/list": true, "tools/call": true,
	listen: true, "notifications/initialized": true, "notifications/roots/list_changed": true,
	cancelled: true,
}

func checkMethod(method string, call bool) error {
	notification := strings.HasPrefix(method, "notifications/")
	switch {
	case !methods[method]:
		return errMethod(method)
	case notification && call:
		return failure(jsonrpc.CodeInvalidRequest, "%s is a notification; send it without an id", method)
	case !notification && !call:
		return failure(jsonrpc.CodeInvalidRequest, "%s is a request; send it with an id", method)
	}
	return nil
}

func errMethod(method string) error {
	return failure(jsonrpc.CodeMethodNotFound, "method not found: %q", clip(method))
}

// readParams sets the parameters of a request. Notifications get none: the SDK would queue them.
func readParams(request *jsonrpc.Request, params jsonobject.Value) error {
	given := params.Type()
	isObject := given == jsonobject.TypeObject
	isNone := given == "" || given == jsonobject.TypeNull // some clients write null instead
	isNeeded := request.Method == "initialize" || request.Method == "tools/call"
	switch {
	case !isObject && (isNeeded || !isNone):
		return failure(jsonrpc.CodeInvalidParams, "params must be an object")
	case request.Method == listen && !isModern(params):
		return errMethod(listen)
	case request.IsCall() && isObject:
		request.Params = params.Raw()
	}
	return nil
}

// isModern reports whether parameters state a revision without handshakes.
func isModern(params jsonobject.Value) bool {
	o, _ := params.Object()
	value, _ := o.Get("_meta")
	meta, _ := value.Object()
	revision, _ := meta.Get("io.modelcontextprotocol/protocolVersion")
	text, _ := revision.Text()
	return text >= modern
}
