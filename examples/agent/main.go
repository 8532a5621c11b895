// Command agent lets a model look around in the working directory until it answers a question. It speaks the APIs of OpenAI
// (chat completions and responses), Anthropic (messages) and Gemini (generateContent).
//
//	go run ./examples/agent -api anthropic
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"

	"gander"
)

func main() {
	name := flag.String("api", "anthropic", "speak `API`: anthropic, gemini, openai or openai-responses")
	url := flag.String("url", "", "send requests to `URL`, such as https://api.anthropic.com, with the key in the API's variable, such as ANTHROPIC_API_KEY (default: a stand-in for it)")
	model := flag.String("model", "stand-in", "the `MODEL` to ask")
	flag.Parse()
	a, ok := apis(*model)[gander.Provider(*name)]
	if !ok {
		log.Fatalf("there is no API %q; use anthropic, gemini, openai or openai-responses", *name)
	}
	if *url == "" {
		*url = startStandIn(gander.Provider(*name))
	}
	answer, err := a.ask(context.Background(), gander.Provider(*name), *url, "What is in this directory?")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer)
}

// An api is what this program knows of an API. What is said about calls is written by gander.
type api struct {
	path         string
	headers      map[string]string
	question     string         // the format of the first message, given the question as a JSON string
	conversation string         // the key of the conversation in a request
	request      map[string]any // what else a request has
}

func apis(model string) map[gander.Provider]api {
	bearer := map[string]string{"Authorization": "Bearer " + os.Getenv("OPENAI_API_KEY")}
	return map[gander.Provider]api{
		gander.OpenAIChat: {
			"/v1/chat/completions", bearer, `{"role":"user","content":%s}`, "messages", map[string]any{"model": model},
		},
		gander.OpenAIResponses: {
			"/v1/responses", bearer, `{"role":"user","content":%s}`, "input",
			map[string]any{"model": model, "store": false, "include": []string{"reasoning.encrypted_content"}},
		},
		gander.Anthropic: {
			"/v1/messages",
			map[string]string{"x-api-key": os.Getenv("ANTHROPIC_API_KEY"), "anthropic-version": "2023-06-01"},
			`{"role":"user","content":%s}`, "messages",
			map[string]any{"model": model, "max_tokens": 4096},
		},
		gander.Gemini: {
			"/v1beta/models/" + model + ":generateContent",
			map[string]string{"x-goog-api-key": os.Getenv("GEMINI_API_KEY")},
			`{"role":"user","parts":[{"text":%s}]}`, "contents",
			map[string]any{"toolConfig": map[string]any{"functionCallingConfig": map[string]string{"mode": "VALIDATED"}}},
		},
	}
}

// ask asks the model a question and makes the calls that it asks for, until it answers.
func (a api) ask(ctx context.Context, p gander.Provider, url, question string) (string, error) {
	files, err := gander.Open(gander.Options{Roots: []string{"."}})
	if err != nil {
		return "", err
	}
	defer files.Close()
	if a.request["tools"], err = files.Tools(p); err != nil {
		return "", err
	}
	quoted, err := json.Marshal(question)
	if err != nil {
		return "", err
	}
	conversation := []json.RawMessage{fmt.Appendf(nil, a.question, quoted)}
	for range 20 {
		a.request[a.conversation] = conversation
		response, err := a.post(ctx, url)
		if err != nil {
			return "", err
		}
		more, err := files.Answer(ctx, p, response)
		if err != nil {
			return "", err
		}
		if len(more) == 0 {
			return text(response)
		}
		conversation = append(conversation, more...)
	}
	return "", errors.New("the model has not answered after 20 rounds of calls")
}

// post sends the request and returns the response.
func (a api) post(ctx context.Context, url string) ([]byte, error) {
	body, err := json.Marshal(a.request)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+a.path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	for name, value := range a.headers {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, answer)
	}
	return answer, err
}

// text returns what the model says in a response of any of the APIs.
func text(response []byte) (string, error) {
	type part struct{ Text string }
	var r struct {
		Choices    []struct{ Message struct{ Content string } } // OpenAI's chat completions
		Output     []struct{ Content []part }                   // OpenAI's responses
		Content    []part                                       // Anthropic
		Candidates []struct{ Content struct{ Parts []part } }   // Gemini
	}
	err := json.Unmarshal(response, &r)
	var b strings.Builder
	for _, choice := range r.Choices {
		b.WriteString(choice.Message.Content)
	}
	parts := r.Content
	for _, item := range r.Output {
		parts = append(parts, item.Content...)
	}
	for _, candidate := range r.Candidates {
		parts = append(parts, candidate.Content.Parts...)
	}
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String(), err
}
