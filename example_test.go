package gander_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"log/slog"
	"os"
	"sync/atomic"

	"gander"
	"gander/codex"
	"gander/tool"
)

// Example opens a directory, lists the tools and searches.
func Example() {
	ts, err := gander.Open(gander.Options{Roots: []string{"testdata/sample"}})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	for _, spec := range ts.Tools() { // for a request to a model
		fmt.Println(spec.Name, len(spec.Description) > 0, json.Valid(spec.Input))
	}
	arguments := json.RawMessage(`{"pattern":"low water","path":"tide","output":"matches"}`)
	result, err := ts.Call(context.Background(), "search_text", arguments)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Text())
	// Output:
	// list_dir true true
	// read_file true true
	// find_files true true
	// search_text true true
	// 1 matched text in 1 file
	// tide/causeway.py
	// 5	low water
}

// ExampleToolset_FS finds files with the functions of package fs, confined as the tools are.
func ExampleToolset_FS() {
	ts, err := gander.Open(gander.Options{Roots: []string{"testdata/sample"}})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	names, err := fs.Glob(ts.FS(), "*/*.md")
	fmt.Println(names, err)
	_, err = fs.Stat(ts.FS(), "none.md")
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	// Output:
	// [docs/2026.md] <nil>
	// true
}

// ExampleOptions_sets adds the tools of Codex and selects some tools.
func ExampleOptions_sets() {
	ts, err := gander.Open(gander.Options{
		Roots: []string{"."},
		Sets:  []gander.Set{codex.Tools(codex.Options{ListDir: codex.ListDirOptions{Limit: 50}})},
		Tools: []string{"codex", "gander/search_text"},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	for _, spec := range ts.Tools() {
		fmt.Println(spec.ID)
	}
	// Output:
	// gander/search_text
	// codex/list_dir
	// codex/read_file
	// codex/grep_files
}

// ExampleOptions_policy requires approval for reading files.
func ExampleOptions_policy() {
	ts, err := gander.Open(gander.Options{
		Roots: []string{"testdata/sample"},
		Policy: tool.Policy{
			Prompt: []string{"gander/read_file"},
			Approve: func(_ context.Context, s tool.Spec, c tool.Call) error {
				fmt.Printf("May %s be called with %s?\n", s.Name, c.Args)
				return errors.New("not before noon")
			},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	arguments := json.RawMessage(`{"path":"README.md"}`)
	_, err = ts.Call(context.Background(), "read_file", arguments)
	fmt.Println(err, errors.Is(err, tool.ErrPolicy))
	// Output:
	// May read_file be called with {"path":"README.md"}?
	// gander/read_file was not approved: not before noon true
}

// ExampleOptions_middleware logs calls and allows only one call to each tool.
func ExampleOptions_middleware() {
	once := func(s tool.Spec, next tool.Handler) tool.Handler {
		var called atomic.Bool
		return func(ctx context.Context, c tool.Call) (tool.Result, error) {
			if called.Swap(true) {
				return tool.Result{}, &tool.Error{Kind: tool.Denied, Message: "no more"}
			}
			return next(ctx, c)
		}
	}
	ts, err := gander.Open(gander.Options{
		Roots:      []string{"testdata/sample"},
		Middleware: []tool.Middleware{once},
		Logger:     slog.New(slog.NewTextHandler(os.Stdout, withoutTimes())),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	for range 2 {
		_, _ = ts.Call(context.Background(), "find_files", nil)
	}
	// Output:
	// level=INFO msg="tool call" tool=gander/find_files outcome=ok truncated=false
	// level=WARN msg="tool call" tool=gander/find_files outcome=denied truncated=false error="no more"
}

// withoutTimes returns options for reproducible log output.
func withoutTimes() *slog.HandlerOptions {
	return &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == "duration" {
			return slog.Attr{}
		}
		return a
	}}
}
