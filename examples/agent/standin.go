package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	"gander"
)

// startStandIn serves a stand-in for p on this machine until the program exits, and returns its URL. Its model asks for two calls,
// about a directory that exists and about one that does not, and then says what it has seen.
func startStandIn(p gander.Provider) string {
	a := standIns()[p]
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		response, err := a.respond(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_, _ = io.WriteString(w, response) // A client that is gone needs no response.
	})).URL
}

// A standIn stands in for one API.
type standIn struct {
	path         string // of requests
	conversation string // the key of the conversation in a request
	response     string // the format of a response, given the model's turn
	calls        string // the turn that asks for the calls
	text         string // the format of a turn that says something, given as a JSON string
}

func standIns() map[gander.Provider]standIn {
	// OpenAI's strict form has every argument.
	const here = `{\"path\":\".\",\"depth\":2,\"details\":null,\"ignored\":null,\"offset\":null,\"limit\":null}`
	const attic = `{\"path\":\"attic\",\"depth\":null,\"details\":null,\"ignored\":null,\"offset\":null,\"limit\":null}`
	return map[gander.Provider]standIn{
		gander.OpenAIChat: {
			path:         "/v1/chat/completions",
			conversation: "messages",
			response:     `{"object":"chat.completion","choices":[{"index":0,"message":%s}]}`,
			calls: `{"role":"assistant","content":null,"tool_calls":[` +
				`{"id":"call_1","type":"function","function":{"name":"list_dir","arguments":"` + here + `"}},` +
				`{"id":"call_2","type":"function","function":{"name":"list_dir","arguments":"` + attic + `"}}]}`,
			text: `{"role":"assistant","content":%s}`,
		},
		gander.OpenAIResponses: {
			path:         "/v1/responses",
			conversation: "input",
			response:     `{"object":"response","status":"completed","output":[%s]}`,
			calls: `{"type":"reasoning","summary":[],"encrypted_content":"sealed"},` +
				`{"type":"function_call","call_id":"call_1","name":"list_dir","arguments":"` + here + `"},` +
				`{"type":"function_call","call_id":"call_2","name":"list_dir","arguments":"` + attic + `"}`,
			text: `{"type":"message","role":"assistant","content":[{"type":"output_text","text":%s}]}`,
		},
		gander.Anthropic: {
			path:         "/v1/messages",
			conversation: "messages",
			response:     `{"type":"message","role":"assistant","content":[%s]}`,
			calls: `{"type":"text","text":"I will look around."},` +
				`{"type":"tool_use","id":"call_1","name":"list_dir","input":{"path":".","depth":2}},` +
				`{"type":"tool_use","id":"call_2","name":"list_dir","input":{"path":"attic"}}`,
			text: `{"type":"text","text":%s}`,
		},
		gander.Gemini: {
			path:         "/v1beta/models/stand-in:generateContent",
			conversation: "contents",
			response:     `{"candidates":[{"content":{"role":"model","parts":[%s]},"finishReason":"STOP","index":0}]}`,
			calls: `{"functionCall":{"id":"call_1","name":"list_dir","args":{"path":".","depth":2}},"thoughtSignature":"sealed"},` +
				`{"functionCall":{"id":"call_2","name":"list_dir","args":{"path":"attic"}}}`,
			text: `{"text":%s}`,
		},
	}
}

// respond returns the response to a request. It fails if the model's turn has not come back as it was, with an answer to each call.
func (a standIn) respond(r *http.Request) (string, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return "", err
	}
	var request map[string]any
	if err := json.Unmarshal(body, &request); err != nil {
		return "", err
	}
	said, _ := request[a.conversation].([]any)
	switch {
	case r.URL.Path != a.path:
		return "", fmt.Errorf("there is nothing at %s", r.URL.Path)
	case len(said) == 1:
		return fmt.Sprintf(a.response, a.calls), nil
	case !strings.Contains(string(body), a.calls):
		return "", errors.New("the model's turn is not part of the conversation")
	}
	found := answers(said)
	if len(found) != 2 {
		return "", fmt.Errorf("2 calls have %d answers", len(found))
	}
	quoted, err := json.Marshal("I see " + found[0] + "\nThe attic: " + found[1])
	return fmt.Sprintf(a.response, fmt.Sprintf(a.text, quoted)), err
}

// answers returns the answers to calls in what has been said, in order.
func answers(said any) (found []string) {
	switch said := said.(type) {
	case []any:
		for _, element := range said {
			found = append(found, answers(element)...)
		}
	case map[string]any:
		for key, value := range said {
			text, ok := value.(string)
			if ok && slices.Contains([]string{"content", "output", "error"}, key) && said["role"] != "user" {
				found = append(found, text)
			}
			found = append(found, answers(value)...)
		}
	}
	return found
}
