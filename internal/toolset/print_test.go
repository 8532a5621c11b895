package toolset_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"gander/internal/plain"
	"gander/internal/toolset"
	"gander/tool"
)

// A printer is a tool whose results commands print.
type printer struct {
	fake
	print func() (plain.Summary, error)
}

func (p printer) Print(
	context.Context, json.RawMessage, []string, *plain.Output,
) (plain.Summary, error) {
	return p.print()
}

func (printer) Highlight(_ context.Context, _ json.RawMessage, result string) string {
	return "<" + result + ">"
}

// TestPrint checks that the error of printing is a *tool.Error, whatever its cause.
func TestPrint(t *testing.T) {
	succeeds := func() (plain.Summary, error) { return plain.Summary{Note: "note"}, nil }
	panicking := func(tool.Spec, tool.Handler) tool.Handler { return panics("middleware") }
	denied := toolset.Options{Policy: tool.Policy{Deny: []string{"a/x"}}}
	for _, tt := range []struct {
		name    string
		options toolset.Options
		tool    tool.Tool
		want    tool.Kind // empty for success
	}{
		{"success", toolset.Options{}, printer{newFake("a/x", nil), succeeds}, ""},
		{"error", toolset.Options{}, printer{newFake("a/x", nil), func() (plain.Summary, error) {
			return plain.Summary{}, errors.New("odd")
		}}, tool.Internal},
		{"panic", toolset.Options{}, printer{newFake("a/x", nil), func() (plain.Summary, error) {
			panic("tool")
		}}, tool.Internal},
		{
			"panic of middleware",
			toolset.Options{Middleware: []tool.Middleware{panicking}},
			printer{newFake("a/x", nil), succeeds},
			tool.Internal,
		},
		{"policy", denied, printer{newFake("a/x", nil), succeeds}, tool.Denied},
		{"no printer", toolset.Options{}, newFake("a/x", nil), tool.Failed},
		{"unknown tool", toolset.Options{}, newFake("a/y", nil), tool.BadArguments},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ts := open(t, tt.options, tt.tool)
			out := plain.New(io.Discard, plain.Options{}, nil)
			summary, err := ts.Print(t.Context(), "a/x", nil, nil, out)
			failure, _ := errors.AsType[*tool.Error](err)
			switch {
			case tt.want == "" && (err != nil || summary.Note != "note"):
				t.Errorf("got %+v, %v", summary, err)
			case tt.want != "" && (failure == nil || failure.Kind != tt.want):
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if err := out.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestHighlight checks that the result of a tool that does not color it is unchanged.
func TestHighlight(t *testing.T) {
	ts := open(t, toolset.Options{}, printer{fake: newFake("a/x", nil)}, newFake("a/y", nil))
	for name, want := range map[string]string{"a/x": "<text>", "a/y": "text", "a/z": "text"} {
		if got := ts.Highlight(t.Context(), name, nil, "text"); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
