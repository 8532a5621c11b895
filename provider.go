package gander

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"gander/internal/frontend/provider"
	"gander/tool"
)

// A Provider is an interface to models, by the name that "gander tools --format" uses for it.
type Provider string

// The known interfaces.
const (
	// OpenAIChat is OpenAI's chat completions, which many other hosts of models offer too.
	OpenAIChat Provider = "openai"
	// OpenAIResponses is OpenAI's responses.
	OpenAIResponses Provider = "openai-responses"
	// Anthropic is Anthropic's messages.
	Anthropic Provider = "anthropic"
	// Gemini is Gemini's generateContent.
	Gemini Provider = "gemini"
)

func (p Provider) open() (provider.Provider, error) {
	if found := provider.New(string(p)); found != nil {
		return found, nil
	}
	return nil, fmt.Errorf("unknown provider %q; the providers are: %s", string(p), strings.Join(provider.Names(), ", "))
}

// Tools returns the definitions of the tools as the value of "tools" in a request to p, in the strictest form that p
// accepts: names and descriptions as published, every schema closed and marked as strict where that is possible. For the
// schemas as published, see [Toolset.Definitions].
//
// For OpenAI, optional properties become required ones that may be null, and for Anthropic those that are more than a request
// may have; [Toolset.ReadCall] removes those nulls again. For Anthropic, only the first tools are strict if one request may
// not hold all as strict ones. For Gemini, the functionCallingConfig mode VALIDATED makes the model keep to the schemas.
//
// It fails if p is unknown.
func (t *Toolset) Tools(p Provider) (json.RawMessage, error) {
	known, err := p.open()
	if err != nil {
		return nil, err
	}
	return known.Tools(t.Definitions()), nil
}

// A ProviderCall is a call that a model asks for.
type ProviderCall struct {
	// ID is the provider's name for the call, "" if it gives none, as Gemini may.
	ID string
	// Name is the tool's name as the model wrote it. The toolset may have no such tool.
	Name string
	// Call holds the arguments, and may be given a budget.
	Call tool.Call

	provider provider.Provider
}

// ReadCall reads one call of a tool from a response of p: an element of tool_calls (OpenAI, chat), a function_call item
// (OpenAI, responses), a tool_use block (Anthropic) or a part with a functionCall (Gemini). It does not check the arguments,
// since the tool does. Anything but such a call is an error.
func (t *Toolset) ReadCall(p Provider, item json.RawMessage) (ProviderCall, error) {
	known, err := p.open()
	if err != nil {
		return ProviderCall{}, err
	}
	c, ok, err := t.readCall(known, item)
	if err == nil && !ok {
		err = errors.New("this is no call of a tool")
	}
	return c, err
}

func (t *Toolset) readCall(p provider.Provider, item json.RawMessage) (ProviderCall, bool, error) {
	c, ok, err := p.Call(item)
	if err != nil || !ok {
		return ProviderCall{}, false, err
	}
	args := c.Args
	if s, err := t.Lookup(c.Name); err == nil {
		args = p.RestoreArgs(s, args)
	}
	return ProviderCall{ID: c.ID, Name: c.Name, Call: tool.Call{Args: args}, provider: p}, true, nil
}

// ReadCalls reads all calls of tools from a whole response of p, in order. Of several choices or candidates it reads the
// first. A response without a message of the model, such as an error of p, is an error.
func (t *Toolset) ReadCalls(p Provider, response []byte) ([]ProviderCall, error) {
	known, err := p.open()
	if err != nil {
		return nil, err
	}
	_, calls, err := t.readCalls(known, response)
	return calls, err
}

func (t *Toolset) readCalls(p provider.Provider, response []byte) (turn []json.RawMessage, calls []ProviderCall, err error) {
	turn, items, err := p.Turn(response)
	if err != nil {
		return nil, nil, err
	}
	for _, item := range items {
		c, ok, err := t.readCall(p, item)
		if err != nil {
			return nil, nil, err
		}
		if ok {
			calls = append(calls, c)
		}
	}
	return turn, calls, nil
}

// Reply returns the answer to the call, from what [Toolset.Call] returned: a message of role tool (OpenAI, chat), a
// function_call_output item (OpenAI, responses), a tool_result block (Anthropic) or a part with a functionResponse (Gemini).
// The latter two expect the replies to all calls of a response in one message of the user. Images are part of the reply,
// except for OpenAI's chat, whose tool messages take only text: send them in a message of the user, as [Toolset.Answer] does.
// Words take the place of an image that p would refuse: of more than 3.75 MiB for Anthropic, and a GIF for Gemini.
// Reply returns nil for a call that was not read by [Toolset.ReadCall] or [Toolset.ReadCalls].
func (c ProviderCall) Reply(result tool.Result, err error) json.RawMessage {
	if c.provider == nil {
		return nil
	}
	return c.provider.Reply(c.answer(result, err))
}

func (c ProviderCall) answer(result tool.Result, err error) provider.Answer {
	parts := result.Parts
	if err != nil {
		parts = tool.Text(err.Error())
	}
	return provider.Answer{Call: provider.Call{ID: c.ID, Name: c.Name}, Parts: parts, Failed: err != nil}
}

// Answer makes all calls that a response of p asks for, concurrently, and returns what to append to the conversation before it
// is sent again: the model's own message as it came, then the answers. They are messages (OpenAI, chat, and Anthropic), input
// items (OpenAI, responses) or contents (Gemini). If the response asks for no calls, Answer returns none. Errors of calls
// become answers to the model. Answer fails only if [Toolset.ReadCalls] does.
func (t *Toolset) Answer(ctx context.Context, p Provider, response []byte) ([]json.RawMessage, error) {
	known, err := p.open()
	if err != nil {
		return nil, err
	}
	turn, calls, err := t.readCalls(known, response)
	if err != nil || len(calls) == 0 {
		return nil, err
	}
	answers := make([]provider.Answer, len(calls))
	var running sync.WaitGroup
	for i, c := range calls {
		running.Go(func() { answers[i] = c.answer(t.Call(ctx, c.Name, c.Call)) })
	}
	running.Wait()
	return append(turn, known.Replies(answers)...), nil
}
