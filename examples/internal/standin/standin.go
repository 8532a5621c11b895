// Package standin stands in for the APIs of model providers, so that the examples run without them. It is as strict about
// requests as they are. Its model follows a script.
package standin

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"gander"
)

// Start serves a stand-in for p on this machine until the program exits, and returns its URL.
func Start(p gander.Provider) string { return httptest.NewServer(New(p)).URL }

// New returns a stand-in for p. It answers a request that p would refuse with status 400 and a message.
func New(p gander.Provider) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wire := wireOf(p)
		body, err := io.ReadAll(r.Body)
		if err == nil && r.URL.Path != wire.path() {
			err = fmt.Errorf("there is nothing at %s", r.URL.Path)
		}
		var c conversation
		if err == nil {
			c, err = wire.read(body)
		}
		var s step
		if err == nil {
			s, err = next(c)
		}
		var response any
		if err == nil {
			response = wire.write(s)
		} else {
			w.WriteHeader(http.StatusBadRequest)
			response = map[string]any{"error": map[string]string{"message": err.Error()}}
		}
		_ = json.NewEncoder(w).Encode(response)
	})
}

// A wire reads the requests and writes the responses of one API.
type wire interface {
	path() string
	read(body []byte) (conversation, error)
	write(s step) any
}

func wireOf(p gander.Provider) wire {
	switch p {
	case gander.OpenAIChat:
		return chat{}
	case gander.OpenAIResponses:
		return responses{}
	case gander.Anthropic:
		return anthropic{}
	default:
		return gemini{}
	}
}
