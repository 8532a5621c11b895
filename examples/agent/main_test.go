package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"gander"
)

// A turn is one request that the stand-in expects, by parts of its text, and its response.
type turn struct {
	want     []string
	response string
}

func TestAsk(t *testing.T) {
	a := start(t, func(schema string) []turn {
		return []turn{
			{
				[]string{`"text":"When is low water?"`, `"name":"read_file"`, `"input_schema":` + schema},
				`{"type":"tool_use","id":"toolu_1","name":"read_file","input":{"path":"notes.txt"}},` +
					`{"type":"tool_use","id":"toolu_2","name":"read_file","input":{"path":"../notes.txt"}}`,
			},
			{
				[]string{
					`"tool_use_id":"toolu_1","is_error":false`, `low water at nine`,
					`"tool_use_id":"toolu_2","is_error":true`, `outside`,
				},
				`{"type":"text","text":"At nine."}`,
			},
		}
	})
	if got, err := a.ask(t.Context(), "When is low water?"); err != nil || got != "At nine." {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestAskFails(t *testing.T) {
	a := start(t, func(string) []turn { return nil })
	got, err := a.ask(t.Context(), "?")
	if err == nil || !strings.Contains(err.Error(), "no more turns") {
		t.Errorf("got %q, %v", got, err)
	}
}

// start returns an agent for a directory with notes.txt. It asks a stand-in of the provider's API,
// which responds with turns; they can depend on the schema of read_file.
func start(t *testing.T, turns func(schema string) []turn) agent {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/notes.txt", []byte("low water at nine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := gander.Open(gander.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { files.Close() })
	left := turns(string(files.Tools()[1].Input))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		body, err := io.ReadAll(r.Body)
		if err != nil || !json.Valid(body) || r.Method+r.URL.Path != "POST/v1/messages" {
			t.Errorf("%s %s: %s, %v", r.Method, r.URL, body, err)
		}
		if len(left) == 0 {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"type":"error",`+
				`"error":{"type":"invalid_request_error","message":"no more turns"}}`)
			return
		}
		for _, part := range left[0].want {
			if !strings.Contains(string(body), part) {
				t.Errorf("the request lacks %s: %s", part, body)
			}
		}
		fmt.Fprintf(w, `{"id":"msg_1","type":"message","role":"assistant","model":"stand-in",`+
			`"content":[%s],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`,
			left[0].response)
		left = left[1:]
	}))
	t.Cleanup(server.Close)
	client := anthropic.NewClient(
		option.WithBaseURL(server.URL), option.WithAPIKey("none"), option.WithMaxRetries(0))
	return agent{client: client, model: "stand-in", files: files}
}
