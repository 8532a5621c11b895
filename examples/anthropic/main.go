// Command anthropic is a small agent over Anthropic's Messages API.
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
	url := flag.String("url", "", "send requests to `URL`, such as https://api.anthropic.com, with the key in ANTHROPIC_API_KEY (default: a stand-in for it)")
	model := flag.String("model", "stand-in", "the `MODEL` to ask")
	flag.Parse()
	if *url == "" {
		*url = standin.Start(gander.Anthropic)
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
	tools, err := files.Tools(gander.Anthropic)
	if err != nil {
		return "", err
	}
	headers := map[string]string{"x-api-key": os.Getenv("ANTHROPIC_API_KEY"), "anthropic-version": "2023-06-01"}
	first, err := json.Marshal(map[string]string{"role": "user", "content": question})
	if err != nil {
		return "", err
	}
	messages := []json.RawMessage{first}
	for range 20 {
		response, err := rest.Post(ctx, url+"/v1/messages", headers,
			map[string]any{"model": model, "max_tokens": 4096, "tools": tools, "messages": messages})
		if err != nil {
			return "", err
		}
		more, err := files.Answer(ctx, gander.Anthropic, response)
		if err != nil {
			return "", err
		}
		if len(more) == 0 {
			return text(response)
		}
		messages = append(messages, more...)
	}
	return "", errors.New("the model has not answered after 20 rounds of calls")
}

// text returns what the model says in a response.
func text(response []byte) (string, error) {
	var r struct{ Content []struct{ Text string } }
	err := json.Unmarshal(response, &r)
	var b strings.Builder
	for _, block := range r.Content {
		b.WriteString(block.Text)
	}
	return b.String(), err
}
