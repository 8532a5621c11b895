// Command openairesponses is a small agent over OpenAI's Responses API.
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
	url := flag.String("url", "", "send requests to `URL`, such as https://api.openai.com, with the key in OPENAI_API_KEY (default: a stand-in for it)")
	model := flag.String("model", "stand-in", "the `MODEL` to ask")
	flag.Parse()
	if *url == "" {
		*url = standin.Start(gander.OpenAIResponses)
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
	tools, err := files.Tools(gander.OpenAIResponses)
	if err != nil {
		return "", err
	}
	headers := map[string]string{"Authorization": "Bearer " + os.Getenv("OPENAI_API_KEY")}
	first, err := json.Marshal(map[string]string{"role": "user", "content": question})
	if err != nil {
		return "", err
	}
	input := []json.RawMessage{first}
	for range 20 {
		response, err := rest.Post(ctx, url+"/v1/responses", headers,
			map[string]any{"model": model, "tools": tools, "input": input, "store": false, "include": []string{"reasoning.encrypted_content"}})
		if err != nil {
			return "", err
		}
		more, err := files.Answer(ctx, gander.OpenAIResponses, response)
		if err != nil {
			return "", err
		}
		if len(more) == 0 {
			return text(response)
		}
		input = append(input, more...)
	}
	return "", errors.New("the model has not answered after 20 rounds of calls")
}

// text returns what the model says in a response.
func text(response []byte) (string, error) {
	var r struct {
		Output []struct{ Content []struct{ Text string } }
	}
	err := json.Unmarshal(response, &r)
	var b strings.Builder
	for _, item := range r.Output {
		for _, part := range item.Content {
			b.WriteString(part.Text)
		}
	}
	return b.String(), err
}
