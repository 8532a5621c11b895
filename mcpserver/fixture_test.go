//lint:file-ignore SA1019 the suite tests deprecated parts as well

package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	goimage "image"
	"image/png"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The scenarios of the suite call tools, prompts and resources with names and answers that it prescribes. The tests add them
// to a server; they are not part of the program.

// fixtureOptions makes a server advertise what only the fixtures do.
func fixtureOptions(o *mcp.ServerOptions) {
	o.Capabilities.Logging = &mcp.LoggingCapabilities{}
	o.Capabilities.Tools = &mcp.ToolCapabilities{ListChanged: true}
	o.Capabilities.Prompts = &mcp.PromptCapabilities{ListChanged: true}
}

// object is a JSON object.
type object = map[string]any

// silence is a sound file without samples.
const silence = "RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data\x00\x00\x00\x00"

// pixel returns an image of one pixel.
func pixel() []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, goimage.NewGray(goimage.Rect(0, 0, 1, 1))); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func image() mcp.Content { return &mcp.ImageContent{Data: pixel(), MIMEType: "image/png"} }

func words(text string) mcp.Content { return &mcp.TextContent{Text: text} }

func embedded(uri string) mcp.Content {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: "an embedded resource"}}
}

func content(c ...mcp.Content) *mcp.CallToolResult { return &mcp.CallToolResult{Content: c} }

type handler = func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error)

// answers returns a handler whose answer is always the same.
func answers(c ...mcp.Content) handler {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return content(c...), nil }
}

func addFixtures(s *mcp.Server) {
	for name, h := range map[string]handler{
		"test_simple_text":                  answers(words("This is a simple text response for testing.")),
		"test_image_content":                answers(image()),
		"test_audio_content":                answers(&mcp.AudioContent{Data: []byte(silence), MIMEType: "audio/wav"}),
		"test_embedded_resource":            answers(embedded("test://embedded-resource")),
		"test_multiple_content_types":       answers(words("mixed"), image(), embedded("test://mixed-content-resource")),
		"test_streaming_elicitation":        answers(words("nothing is asked")),
		"test_tool_with_logging":            logging,
		"test_logging_tool":                 logging,
		"test_tool_with_progress":           progressing,
		"test_error_handling":               failing,
		"test_sampling":                     sampling,
		"test_elicitation":                  eliciting(object{"username": object{"type": "string"}}),
		"test_elicitation_sep1034_defaults": eliciting(defaults()),
		"test_elicitation_sep1330_enums":    eliciting(enums()),
		"test_missing_capability":           needsSampling,
		"test_trigger_tool_change": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			addFixture(s, "another", answers())
			return content(words("changed")), nil
		},
		"test_trigger_prompt_change": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			s.AddPrompt(&mcp.Prompt{Name: "another", Description: "Another prompt"}, prompt(words("another")))
			return content(words("changed")), nil
		},
	} {
		addFixture(s, name, h)
	}
	addRounds(s)
	addFixtureResources(s)
	addFixturePrompts(s)
}

func addFixture(s *mcp.Server, name string, h handler) {
	s.AddTool(&mcp.Tool{Name: name, Description: "Fixture " + name, InputSchema: object{"type": "object"}}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return h(ctx, r)
	})
}

func logging(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	for i := range 3 {
		if err := r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: fmt.Sprint("step ", i)}); err != nil {
			return nil, err
		}
		time.Sleep(20 * time.Millisecond)
	}
	return content(words("logged")), nil
}

func progressing(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	for _, done := range []float64{0, 50, 100} {
		if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: done, Total: 100}); err != nil {
			return nil, err
		}
		time.Sleep(20 * time.Millisecond)
	}
	return content(words("done")), nil
}

func failing(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	r := new(mcp.CallToolResult)
	r.SetError(errors.New("this tool intentionally returns an error for testing"))
	return r, nil
}

func needsSampling(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if c := r.ClientCapabilities(); c != nil && c.Sampling != nil {
		return content(words("the client can")), nil
	}
	data, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{RequiredCapabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}}})
	if err != nil {
		return nil, err
	}
	return nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "the client cannot sample", Data: data}
}

func sampling(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args struct{ Prompt string }
	if err := json.Unmarshal(r.Params.Arguments, &args); err != nil {
		return nil, err
	}
	answer, err := r.Session.CreateMessage(ctx, asks(args.Prompt))
	if err != nil {
		return nil, err
	}
	text, ok := answer.Content.(*mcp.TextContent)
	if !ok {
		return nil, errors.New("no text")
	}
	return content(words("LLM response: " + text.Text)), nil
}

// asks returns a request to sample an answer to a question.
func asks(question string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{Messages: []*mcp.SamplingMessage{{Role: "user", Content: words(question)}}, MaxTokens: 100}
}

// form returns a request to fill in a form with these properties.
func form(properties object) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: "Please fill this in", RequestedSchema: object{"type": "object", "properties": properties}}
}

func eliciting(properties object) handler {
	return func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		answer, err := r.Session.Elicit(ctx, form(properties))
		if err != nil {
			return nil, err
		}
		return content(words(fmt.Sprintf("action=%s content=%v", answer.Action, answer.Content))), nil
	}
}

func addFixtureResources(s *mcp.Server) {
	read := func(c *mcp.ResourceContents) mcp.ResourceHandler {
		return func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			own := *c
			own.URI = r.Params.URI
			own.Text = strings.ReplaceAll(own.Text, "URI", own.URI)
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&own}}, nil
		}
	}
	text := &mcp.ResourceContents{MIMEType: "text/plain", Text: "This is the content of the static text resource."}
	s.AddResource(&mcp.Resource{Name: "static-text", URI: "test://static-text", MIMEType: "text/plain"}, read(text))
	s.AddResource(&mcp.Resource{Name: "watched", URI: "test://watched-resource", MIMEType: "text/plain"}, read(text))
	s.AddResource(&mcp.Resource{Name: "static-binary", URI: "test://static-binary", MIMEType: "image/png"}, read(&mcp.ResourceContents{MIMEType: "image/png", Blob: pixel()}))
	s.AddResourceTemplate(&mcp.ResourceTemplate{Name: "template", URITemplate: "test://template/{id}/data", MIMEType: "application/json"},
		read(&mcp.ResourceContents{MIMEType: "application/json", Text: `{"read":"URI"}`}))
}

func prompt(c ...mcp.Content) mcp.PromptHandler {
	return func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		result := new(mcp.GetPromptResult)
		for _, c := range c {
			if text, ok := c.(*mcp.TextContent); ok {
				own := text.Text
				for name, value := range r.Params.Arguments {
					own = strings.ReplaceAll(own, "{"+name+"}", value)
				}
				c = words(own)
			}
			result.Messages = append(result.Messages, &mcp.PromptMessage{Role: "user", Content: c})
		}
		return result, nil
	}
}

func addFixturePrompts(s *mcp.Server) {
	arguments := func(names ...string) (all []*mcp.PromptArgument) {
		for _, n := range names {
			all = append(all, &mcp.PromptArgument{Name: n, Description: "Argument " + n, Required: true})
		}
		return all
	}
	s.AddPrompt(&mcp.Prompt{Name: "test_simple_prompt", Description: "One message"}, prompt(words("This is a simple prompt for testing.")))
	s.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_arguments", Description: "Two arguments", Arguments: arguments("arg1", "arg2")}, prompt(words("arg1='{arg1}', arg2='{arg2}'")))
	s.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_image", Description: "An image"}, prompt(image(), words("What is this?")))
	s.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_embedded_resource", Description: "A resource", Arguments: arguments("resourceUri")}, func(ctx context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return prompt(embedded(r.Params.Arguments["resourceUri"]), words("What is this?"))(ctx, r)
	})
}

// defaults returns the properties of a form: every simple type with a default.
func defaults() object {
	return object{
		"name":     object{"type": "string", "default": "John Doe"},
		"age":      object{"type": "integer", "default": 30},
		"score":    object{"type": "number", "default": 95.5},
		"status":   object{"type": "string", "enum": []string{"active", "inactive", "pending"}, "default": "active"},
		"verified": object{"type": "boolean", "default": true},
	}
}

// enums returns the properties of a form: every type of choice.
func enums() object {
	titled := []object{{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}}
	values := []string{"option1", "option2"}
	return object{
		"untitledSingle": object{"type": "string", "enum": values},
		"titledSingle":   object{"type": "string", "oneOf": titled},
		"legacyEnum":     object{"type": "string", "enum": []string{"opt1", "opt2"}, "enumNames": []string{"One", "Two"}},
		"untitledMulti":  object{"type": "array", "items": object{"type": "string", "enum": values}},
		"titledMulti":    object{"type": "array", "items": object{"anyOf": titled}},
	}
}
