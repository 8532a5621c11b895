package registry_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gander/internal/registry"
	"gander/tool"
)

func TestLog(t *testing.T) {
	var out bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == "duration" {
			return slog.Attr{}
		}
		return a
	}}))
	var err error
	r := open(t, registry.Options{Logger: logger}, fake{id: "a/one", name: "one", call: func(context.Context, tool.Call) (tool.Result, error) {
		return tool.Result{Truncated: true}, err
	}})
	_, _ = r.Call(t.Context(), "one", tool.Call{Args: []byte(`{"secret":1}`)})
	for _, kind := range []tool.Kind{
		tool.BadArguments, tool.Outside, tool.Denied, tool.NotFound, tool.NotDirectory, tool.Failed, tool.Cancelled, tool.Timeout,
		tool.Internal,
	} {
		err = &tool.Error{Kind: kind, Message: "why"}
		_, _ = r.Call(t.Context(), "a_one", tool.Call{})
	}
	_, _ = r.Call(t.Context(), "other", tool.Call{})
	want := `level=INFO msg="tool call" tool=a/one outcome=ok truncated=true
level=INFO msg="tool call" tool=a/one outcome=bad_arguments truncated=false error=why
level=WARN msg="tool call" tool=a/one outcome=outside truncated=false error=why
level=WARN msg="tool call" tool=a/one outcome=denied truncated=false error=why
level=INFO msg="tool call" tool=a/one outcome=not_found truncated=false error=why
level=INFO msg="tool call" tool=a/one outcome=not_a_directory truncated=false error=why
level=WARN msg="tool call" tool=a/one outcome=failed truncated=false error=why
level=INFO msg="tool call" tool=a/one outcome=cancelled truncated=false error=why
level=WARN msg="tool call" tool=a/one outcome=timeout truncated=false error=why
level=ERROR msg="tool call" tool=a/one outcome=internal truncated=false error=why
level=INFO msg="tool call" tool=other outcome=bad_arguments truncated=false error="unknown tool \"other\"; the tools are: a/one"
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
