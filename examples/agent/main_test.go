package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
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
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("low water at nine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := gander.Open(gander.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	schema := string(files.Tools()[1].Input)
	const calls = `{"type":"tool_use","id":"toolu_1","name":"read_file","input":{"path":"notes.txt"}},` +
		`{"type":"tool_use","id":"toolu_2","name":"read_file","input":{"path":"../notes.txt"}}`
	url := standIn(t, []turn{
		{[]string{`"text":"When is low water?"`, `"name":"read_file"`, `"input_schema":` + schema}, calls},
		{[]string{
			`"tool_use_id":"toolu_1","is_error":false`, `low water at nine`,
			`"tool_use_id":"toolu_2","is_error":true`, `outside`,
		}, `{"type":"text","text":"At nine."}`},
	})
	a := agent{
		client: anthropic.NewClient(option.WithBaseURL(url), option.WithAPIKey("none"), option.WithMaxRetries(0)),
		model:  "stand-in", files: files,
	}
	if got, err := a.ask(t.Context(), "When is low water?"); err != nil || got != "At nine." {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestAskFails(t *testing.T) {
	files, err := gander.Open(gander.Options{Roots: []string{t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	a := agent{
		client: anthropic.NewClient(option.WithBaseURL(standIn(t, nil)), option.WithAPIKey("none"), option.WithMaxRetries(0)),
		files:  files,
	}
	if got, err := a.ask(t.Context(), "?"); err == nil || !strings.Contains(err.Error(), "no more turns") {
		t.Errorf("got %q, %v", got, err)
	}
}

// standIn starts a server that answers requests for messages with these turns, and returns its URL.
func standIn(t *testing.T, turns []turn) string {
	next := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		body, err := io.ReadAll(r.Body)
		switch {
		case err != nil || !json.Valid(body) || r.Method != http.MethodPost || r.URL.Path != "/v1/messages":
			t.Errorf("%s %s: %s, %v", r.Method, r.URL, body, err)
		case next == len(turns):
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"type":"error","error":{"type":"invalid_request_error","message":"no more turns"}}`)
			return
		}
		for _, part := range turns[next].want {
			if !strings.Contains(string(body), part) {
				t.Errorf("request %d lacks %s: %s", next+1, part, body)
			}
		}
		fmt.Fprintf(w, `{"id":"msg_1","type":"message","role":"assistant","model":"stand-in","content":[%s],`+
			`"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`, turns[next].response)
		next++
	}))
	t.Cleanup(server.Close)
	return server.URL
}
