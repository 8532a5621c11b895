package gander_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"gander"
	"gander/tool"
)

// wordCount is a tool of one's own.
type wordCount struct{}

func (wordCount) Spec() tool.Spec {
	return tool.Spec{
		ID:          "own/word_count",
		Name:        "word_count",
		Description: "Counts the words of a text.",
		Input:       json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
		Risk:        tool.Low,
	}
}

func (wordCount) Call(_ context.Context, c tool.Call) (tool.Result, error) {
	var args struct{ Text string }
	if err := json.Unmarshal(c.Args, &args); err != nil {
		return tool.Result{}, &tool.Error{Kind: tool.BadArguments, Message: "text must be a string"}
	}
	return tool.Result{Parts: tool.Text(fmt.Sprint(len(strings.Fields(args.Text))))}, nil
}

// A tool of one's own beside gander's, under the same policy, limits and middleware.
func ExampleOptions_more() {
	ts, err := gander.Open(gander.Options{
		Roots: []string{"testdata/sample"},
		Tools: []string{"toolkit", "own"},
		More:  []tool.Tool{wordCount{}},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	for _, d := range ts.Definitions() {
		fmt.Println(d.Name)
	}
	result, err := ts.Call(context.Background(), "word_count", tool.Call{Args: []byte(`{"text":"three small words"}`)})
	fmt.Println(result.Text(), err)
	// Output:
	// tree
	// word_count
	// 3 <nil>
}

// Middleware that lets each tool be called twice.
func ExampleOptions_wrap() {
	twice := func(s tool.Spec, next tool.Handler) tool.Handler {
		var calls atomic.Int32
		return func(ctx context.Context, c tool.Call) (tool.Result, error) {
			if calls.Add(1) > 2 {
				return tool.Result{}, &tool.Error{Kind: tool.Denied, Message: s.Name + " was called often enough"}
			}
			return next(ctx, c)
		}
	}
	ts, err := gander.Open(gander.Options{
		Roots: []string{"testdata/sample"},
		More:  []tool.Tool{wordCount{}},
		Wrap:  []tool.Middleware{twice},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	for range 3 {
		_, err := ts.Call(context.Background(), "word_count", tool.Call{Args: []byte(`{"text":"a b"}`)})
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// <nil>
	// word_count was called often enough
}

// What each call has read and what came of it, with a clock that stands still.
func ExampleOptions_observe() {
	ts, err := gander.Open(gander.Options{
		Roots: []string{"testdata/sample"},
		Clock: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) },
		Observe: func(_ context.Context, r tool.Record) {
			fmt.Println(r.Start.Format(time.Kitchen), r.Tool.ID, r.Outcome(), r.Entries, "entries", r.Bytes, "bytes", r.Result.Truncated)
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	for _, args := range []string{`{"path":"."}`, `{"path":".","max_entries":2}`, `{"path":"attic"}`} {
		_, _ = ts.Call(context.Background(), "tree", tool.Call{Args: []byte(args)})
	}
	// Output:
	// 12:00PM toolkit/tree ok 9 entries 0 bytes false
	// 12:00PM toolkit/tree ok 6 entries 0 bytes true
	// 12:00PM toolkit/tree not_found 0 entries 0 bytes false
}

// A line for each call.
func ExampleOptions_logger() {
	handler := slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == "root" { // not the same every time
			return slog.Attr{}
		}
		return a
	}})
	ts, err := gander.Open(gander.Options{
		Roots:  []string{"testdata/sample"},
		Logger: slog.New(handler),
		Clock:  func() time.Time { return time.Time{} },
	})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	_, _ = ts.Call(context.Background(), "tree", tool.Call{Args: []byte(`{"path":"docs"}`)})
	_, _ = ts.Call(context.Background(), "tree", tool.Call{Args: []byte(`{"path":"/"}`)})
	// Output:
	// level=INFO msg="tool call" tool=toolkit/tree outcome=ok duration=0s entries=1 bytes=0 truncated=false
	// level=WARN msg="tool call" tool=toolkit/tree outcome=outside duration=0s entries=0 bytes=0 truncated=false error="SANDBOX_VIOLATION: path is outside the workspace; use a path inside it"
}
