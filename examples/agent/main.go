// Command agent asks a model a question about the files of a directory, and lets it read them with
// gander's tools.
//
//	ANTHROPIC_API_KEY=... go -C examples/agent run . -root ../.. "Where is the license?"
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"gander"
)

// maxTurns is the maximum number of requests for one question.
const maxTurns = 20

func main() {
	root := flag.String("root", ".", "let the model read the files below `DIR`")
	model := flag.String("model", string(anthropic.ModelClaudeSonnet5_5), "ask `MODEL`")
	flag.Parse()
	question := strings.Join(flag.Args(), " ")
	if question == "" {
		question = "What is in this directory?"
	}
	files, err := gander.Open(gander.Options{Roots: []string{*root}})
	if err != nil {
		log.Fatal(err)
	}
	defer files.Close()
	a := agent{client: anthropic.NewClient(), model: *model, files: files}
	answer, err := a.ask(context.Background(), question)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer)
}

// An agent asks one model, which may call the tools of one toolset.
type agent struct {
	client anthropic.Client
	model  string
	files  *gander.Toolset
}

// ask returns the model's answer to a question, after making the calls that the model asks for.
func (a agent) ask(ctx context.Context, question string) (string, error) {
	request := anthropic.MessageNewParams{
		Model:     anthropic.Model(a.model),
		MaxTokens: 4096,
		Tools:     a.tools(),
		Messages:  []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(question))},
	}
	for range maxTurns {
		message, err := a.client.Messages.New(ctx, request)
		if err != nil {
			return "", err
		}
		var text strings.Builder
		var results []anthropic.ContentBlockParamUnion
		for _, block := range message.Content {
			switch block := block.AsAny().(type) {
			case anthropic.TextBlock:
				text.WriteString(block.Text)
			case anthropic.ToolUseBlock:
				results = append(results, a.call(ctx, block))
			}
		}
		if len(results) == 0 {
			return text.String(), nil
		}
		request.Messages = append(request.Messages,
			message.ToParam(), anthropic.NewUserMessage(results...))
	}
	return "", fmt.Errorf("the model has not answered after %d requests", maxTurns)
}

// tools returns the definitions of the tools, with their schemas unchanged.
func (a agent) tools() []anthropic.ToolUnionParam {
	var tools []anthropic.ToolUnionParam
	for _, d := range a.files.Tools() {
		tools = append(tools, anthropic.ToolUnionParam{OfTool: &anthropic.ToolParam{
			Name:        d.Name,
			Description: anthropic.String(d.Description),
			InputSchema: param.Override[anthropic.ToolInputSchemaParam](d.Input),
		}})
	}
	return tools
}

// call makes one call. The text of an error tells the model what to do instead.
func (a agent) call(
	ctx context.Context, use anthropic.ToolUseBlock,
) anthropic.ContentBlockParamUnion {
	result, err := a.files.Call(ctx, use.Name, json.RawMessage(use.Input))
	if err != nil {
		return anthropic.NewToolResultBlock(use.ID, err.Error(), true)
	}
	return anthropic.NewToolResultBlock(use.ID, result.Text(), false)
}
