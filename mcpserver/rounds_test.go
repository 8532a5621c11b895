//lint:file-ignore SA1019 the suite tests deprecated parts as well

package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// These fixtures ask the client for input: their result lists what they need, and the client repeats the request with it.

func text(name string) object { return object{name: object{"type": "string"}} }

// accepted returns a field of a form that was filled in, or "" if it was not.
func accepted(r *mcp.CallToolRequest, key, field string) string {
	answer, ok := r.Params.InputResponses[key].(*mcp.ElicitResult)
	if !ok || answer.Action != "accept" {
		return ""
	}
	return fmt.Sprint(answer.Content[field])
}

func sampled(r *mcp.CallToolRequest, key string) (string, bool) {
	answer, ok := r.Params.InputResponses[key].(*mcp.CreateMessageWithToolsResult)
	if !ok {
		return "", false
	}
	for _, c := range answer.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			return t.Text, true
		}
	}
	return "", true
}

func listed(r *mcp.CallToolRequest, key string) (int, bool) {
	answer, ok := r.Params.InputResponses[key].(*mcp.ListRootsResult)
	if !ok {
		return 0, false
	}
	return len(answer.Roots), true
}

// wants returns the result that asks for input.
func wants(state string, requests mcp.InputRequestMap) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{InputRequests: requests, RequestState: state}, nil
}

func says(format string, a ...any) (*mcp.CallToolResult, error) {
	return content(words(fmt.Sprintf(format, a...))), nil
}

func addRounds(s *mcp.Server) {
	for name, h := range map[string]func(*mcp.CallToolRequest) (*mcp.CallToolResult, error){
		"test_input_required_result_elicitation": func(r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if name := accepted(r, "user_name", "name"); name != "" && name != "<nil>" {
				return says("Hello, %s!", name)
			}
			return wants("", mcp.InputRequestMap{"user_name": form(text("name"))})
		},
		"test_input_required_result_sampling": func(r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if answer, ok := sampled(r, "capital_question"); ok {
				return says("The client says %s", answer)
			}
			return wants("", mcp.InputRequestMap{"capital_question": asks("What is the capital of France?")})
		},
		"test_input_required_result_list_roots": func(r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if n, ok := listed(r, "client_roots"); ok {
				return says("The client has %d roots", n)
			}
			return wants("", mcp.InputRequestMap{"client_roots": new(mcp.ListRootsParams)})
		},
		"test_input_required_result_request_state": confirming,
		"test_input_required_result_tampered_state": func(r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return confirming(r)
		},
		"test_input_required_result_multiple_inputs": func(r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			name := accepted(r, "user_name", "name")
			greeting, greeted := sampled(r, "greeting")
			n, ok := listed(r, "client_roots")
			if name != "" && greeted && ok {
				return says("%s %s, with %d roots", greeting, name, n)
			}
			return wants("several", mcp.InputRequestMap{"user_name": form(text("name")), "greeting": asks("Greet"), "client_roots": new(mcp.ListRootsParams)})
		},
		"test_input_required_result_multi_round": func(r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			name, second := strings.CutPrefix(r.Params.RequestState, "second:")
			switch {
			case second:
				return says("%s likes %s", name, accepted(r, "step2", "color"))
			case r.Params.RequestState == "first":
				return wants("second:"+accepted(r, "step1", "name"), mcp.InputRequestMap{"step2": form(text("color"))})
			}
			return wants("first", mcp.InputRequestMap{"step1": form(text("name"))})
		},
		"test_input_required_result_capabilities": capable,
	} {
		addFixture(s, name, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return h(r) })
	}
	s.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt", Description: "Asks for its context"}, func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		if answer, ok := r.Params.InputResponses["user_context"].(*mcp.ElicitResult); ok && answer.Action == "accept" {
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: words(fmt.Sprint(answer.Content["context"]))}}}, nil
		}
		return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{"user_context": form(text("context"))}}, nil
	})
}

// confirming checks that the client returns the state that it was given.
func confirming(r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	const state = "to be confirmed"
	if r.Params.RequestState != "" && r.Params.RequestState != state {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "this is not the state that was given"}
	}
	if r.Params.RequestState == state && accepted(r, "confirm", "ok") != "" {
		return says("state-ok")
	}
	return wants(state, mcp.InputRequestMap{"confirm": form(object{"ok": object{"type": "boolean"}})})
}

// capable asks only for what the client supports.
func capable(r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if len(r.Params.InputResponses) > 0 {
		return says("thanks")
	}
	wanted := mcp.InputRequestMap{}
	if c := r.ClientCapabilities(); c != nil {
		if c.Elicitation != nil {
			wanted["user_name"] = form(text("name"))
		}
		if c.Sampling != nil {
			wanted["greeting"] = asks("Greet")
		}
		if c.RootsV2 != nil {
			wanted["client_roots"] = new(mcp.ListRootsParams)
		}
	}
	if len(wanted) == 0 {
		return says("the client supports nothing")
	}
	return wants("", wanted)
}
