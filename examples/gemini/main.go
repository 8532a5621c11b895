// Command gemini is a small agent over the generateContent method of the Gemini API.
// It lets a model look around in the working directory until the model answers.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"

	"gander"
	"gander/examples/internal/rest"
	"gander/examples/internal/standin"
)

func main() {
	url := flag.String("url", "", "send requests to `URL`, such as https://generativelanguage.googleapis.com, with the key in GEMINI_API_KEY (default: a stand-in for it)")
	model := flag.String("model", "stand-in", "the `MODEL` to ask")
	flag.Parse()
	if *url == "" {
		*url = standin.Start(gander.Gemini)
	}
	answer, err := ask(context.Background(), *url, *model, "What is in this directory?")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer)
}

// ask asks the model a question and makes the calls that it asks for, until it answers.
func ask(ctx context.Context, url, model, question string) (string, error) {
	files, err := gander.Open(gander.Options{Tools: []string{"forge", "codex/read_file", "toolkit"}})
	if err != nil {
		return "", err
	}
	defer files.Close()
	tools, err := files.Tools(gander.Gemini)
	if err != nil {
		return "", err
	}
	headers := map[string]string{"x-goog-api-key": os.Getenv("GEMINI_API_KEY")}
	validated := map[string]any{"functionCallingConfig": map[string]string{"mode": "VALIDATED"}}
	first, err := json.Marshal(map[string]any{"role": "user", "parts": []any{map[string]string{"text": question}}})
	if err != nil {
		return "", err
	}
	contents := []json.RawMessage{first}
	for range 20 {
		response, err := rest.Post(ctx, url+"/v1beta/models/"+model+":generateContent", headers,
			map[string]any{"tools": tools, "toolConfig": validated, "contents": contents})
		if err != nil {
			return "", err
		}
		more, err := files.Answer(ctx, gander.Gemini, response)
		if err != nil {
			return "", err
		}
		if len(more) == 0 {
			return text(response)
		}
		contents = append(contents, more...)
	}
	return "", errors.New("the model has not answered after 20 rounds of calls")
}

// text returns what the model says in a response that has a candidate.
func text(response []byte) (string, error) {
	var r struct {
		Candidates []struct {
			Content struct{ Parts []struct{ Text string } }
		}
	}
	err := json.Unmarshal(response, &r)
	var b strings.Builder
	for _, part := range r.Candidates[0].Content.Parts {
		b.WriteString(part.Text)
	}
	return b.String(), err
}
