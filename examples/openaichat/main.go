// Command openaichat is a small agent over OpenAI's Chat Completions API.
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

	"gander"
	"gander/examples/internal/rest"
	"gander/examples/internal/standin"
)

func main() {
	url := flag.String("url", "", "send requests to `URL`, such as https://api.openai.com, with the key in OPENAI_API_KEY (default: a stand-in for it)")
	model := flag.String("model", "stand-in", "the `MODEL` to ask")
	flag.Parse()
	if *url == "" {
		*url = standin.Start(gander.OpenAIChat)
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
	tools, err := files.Tools(gander.OpenAIChat)
	if err != nil {
		return "", err
	}
	headers := map[string]string{"Authorization": "Bearer " + os.Getenv("OPENAI_API_KEY")}
	first, err := json.Marshal(map[string]string{"role": "user", "content": question})
	if err != nil {
		return "", err
	}
	messages := []json.RawMessage{first}
	for range 20 {
		response, err := rest.Post(ctx, url+"/v1/chat/completions", headers,
			map[string]any{"model": model, "tools": tools, "messages": messages})
		if err != nil {
			return "", err
		}
		more, err := files.Answer(ctx, gander.OpenAIChat, response)
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

// text returns what the model says in a response that has a choice.
func text(response []byte) (string, error) {
	var r struct {
		Choices []struct{ Message struct{ Content string } }
	}
	err := json.Unmarshal(response, &r)
	return r.Choices[0].Message.Content, err
}
