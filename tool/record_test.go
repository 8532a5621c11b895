package tool_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gander/tool"
)

// clock returns a clock that goes on by a second each time it is asked.
func clock() func() time.Time {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return func() time.Time {
		now = now.Add(time.Second)
		return now
	}
}

// lines returns a logger whose lines have no time, and what it has written.
func lines() (*slog.Logger, *bytes.Buffer) {
	var out bytes.Buffer
	o := &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}
	return slog.New(slog.NewTextHandler(&out, o)), &out
}

func TestRecord(t *testing.T) {
	counting := fake{id: "a/one", name: "one", call: func(ctx context.Context, c tool.Call) (tool.Result, error) {
		tool.Count(ctx, 3, 0)
		tool.Count(ctx, 4, 50)
		if string(c.Args) == "fail" {
			return tool.Result{}, &tool.Error{Kind: tool.NotFound, Message: "gone"}
		}
		return tool.Result{Parts: tool.Text("done"), Truncated: true}, nil
	}}
	var records []tool.Record
	r := registry(t, tool.RegistryOptions{
		Clock:          clock(),
		MaxOutputBytes: 9,
		Observe:        func(_ context.Context, r tool.Record) { records = append(records, r) },
	}, counting)
	for _, call := range []struct{ name, args string }{{"one", "{}"}, {"a_one", "fail"}, {"other", ""}} {
		_, _ = r.Call(t.Context(), call.name, tool.Call{Args: []byte(call.args)})
	}
	var got []string
	for _, r := range records {
		limit, _ := r.Call.Budget.Limit()
		got = append(got, fmt.Sprintf("%s (%s) %s limit %d at %d for %v: %q %d entries %d bytes %q %v %s",
			r.Name, r.Tool.ID, r.Call.Args, limit, r.Start.Second(), r.Duration, r.Root, r.Entries, r.Bytes, r.Result.Text(), r.Result.Truncated, r.Outcome()))
	}
	want := []string{
		`one (a/one) {} limit 9 at 6 for 1s: "" 7 entries 50 bytes "done" true ok`,
		`a_one (a/one) fail limit 9 at 8 for 1s: "" 7 entries 50 bytes "" false not_found`,
		`other ()  limit 9 at 10 for 1s: "" 0 entries 0 bytes "" false bad_arguments`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestLog(t *testing.T) {
	logger, out := lines()
	var err error
	failing := fake{id: "a/one", name: "one", call: func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, err }}
	r := registry(t, tool.RegistryOptions{Clock: clock(), Logger: logger}, failing)
	_, _ = r.Call(t.Context(), "one", tool.Call{Args: []byte(`{"secret":1}`)})
	for _, kind := range []tool.Kind{
		tool.BadArguments, tool.Outside, tool.Denied, tool.NotFound, tool.NotDirectory, tool.Failed, tool.Cancelled, tool.Timeout,
		tool.Internal,
	} {
		err = &tool.Error{Kind: kind, Message: "why"}
		_, _ = r.Call(t.Context(), "one", tool.Call{})
	}
	_, _ = r.Call(t.Context(), "other", tool.Call{})
	const rest = ` duration=1s root="" entries=0 bytes=0 truncated=false`
	want := `level=INFO msg="tool call" tool=a/one outcome=ok` + rest + `
level=INFO msg="tool call" tool=a/one outcome=bad_arguments` + rest + ` error=why
level=WARN msg="tool call" tool=a/one outcome=outside` + rest + ` error=why
level=WARN msg="tool call" tool=a/one outcome=denied` + rest + ` error=why
level=INFO msg="tool call" tool=a/one outcome=not_found` + rest + ` error=why
level=INFO msg="tool call" tool=a/one outcome=not_a_directory` + rest + ` error=why
level=WARN msg="tool call" tool=a/one outcome=failed` + rest + ` error=why
level=INFO msg="tool call" tool=a/one outcome=cancelled` + rest + ` error=why
level=WARN msg="tool call" tool=a/one outcome=timeout` + rest + ` error=why
level=ERROR msg="tool call" tool=a/one outcome=internal` + rest + ` error=why
level=INFO msg="tool call" tool=other outcome=bad_arguments` + rest + ` error="unknown tool \"other\"; the tools are: a/one"
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestCountOutside: counting is for calls; elsewhere it does nothing.
func TestCountOutside(t *testing.T) { tool.Count(t.Context(), 1, 1) }
