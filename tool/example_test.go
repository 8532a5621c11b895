package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log"

	"gander/tool"
)

// greeter is a tool.
type greeter struct{}

func (greeter) Spec() tool.Spec {
	return tool.Spec{
		ID:          "own/greet",
		Name:        "greet",
		Description: "Greets somebody.",
		Input:       json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`),
		Risk:        tool.Low,
	}
}

func (greeter) Call(_ context.Context, c tool.Call) (tool.Result, error) {
	var args struct{ Name string }
	switch err := json.Unmarshal(c.Args, &args); {
	case err != nil || args.Name == "":
		return tool.Result{}, &tool.Error{Kind: tool.BadArguments, Message: "name must be a string, and not empty"}
	case args.Name == "Nobody":
		return tool.Result{}, &tool.Error{Kind: tool.NotFound, Message: "there is nobody of that name"}
	}
	return tool.Result{Parts: tool.Text("Hello, " + args.Name + "!")}, nil
}

// A registry of tools of one's own.
func ExampleNewRegistry() {
	r, err := tool.NewRegistry(tool.RegistryOptions{MaxOutputBytes: 15}, greeter{})
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"Ada", "Charles Babbage"} {
		result, err := r.Call(context.Background(), "greet", tool.Call{Args: fmt.Appendf(nil, `{"name":%q}`, name)})
		fmt.Println(result.Text(), err)
	}
	// Output:
	// Hello, Ada! <nil>
	//  the output limit of 15 bytes is too small for the answer; raise it or ask for less
}

// An error has a kind, and matches what the standard library has for that kind.
func ExampleError() {
	r, err := tool.NewRegistry(tool.RegistryOptions{}, greeter{})
	if err != nil {
		log.Fatal(err)
	}
	_, err = r.Call(context.Background(), "own/greet", tool.Call{Args: []byte(`{"name":"Nobody"}`)})
	var e *tool.Error
	if errors.As(err, &e) {
		fmt.Println(e.Kind, "-", e.Message)
	}
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	// Output:
	// not_found - there is nobody of that name
	// true
}

// A policy that puts calls to an approver.
func ExamplePolicy() {
	r, err := tool.NewRegistry(tool.RegistryOptions{
		Policy: tool.Policy{Prompt: []string{"own"}},
		Approver: func(_ context.Context, s tool.Spec, c tool.Call) error {
			fmt.Printf("May %s be called with %s?\n", s.ID, c.Args)
			return errors.New("not before noon")
		},
	}, greeter{})
	if err != nil {
		log.Fatal(err)
	}
	_, err = r.Call(context.Background(), "greet", tool.Call{Args: []byte(`{"name":"Ada"}`)})
	fmt.Println(err, errors.Is(err, tool.ErrPolicy))
	// Output:
	// May own/greet be called with {"name":"Ada"}?
	// own/greet was not approved: not before noon true
}
