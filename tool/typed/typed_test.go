package typed_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
	"gander/tool"
	"gander/tool/typed"
)

type arguments struct {
	Path  string   `json:"path" jsonschema:"a file"`
	Lines int64    `json:"lines,omitempty"`
	Tags  []string `json:"tags,omitempty"`
	Inner struct {
		Deep bool `json:"deep,omitempty"`
	} `json:"inner,omitzero"`
}

func spec() tool.Spec { return tool.Spec{ID: "own/count", Name: "count"} }

// show returns a tool that prints its arguments.
func show(t *testing.T, s tool.Spec) tool.Tool {
	t.Helper()
	shown, err := typed.New(s,
		func(_ context.Context, a arguments, _ tool.Budget) (tool.Result, error) {
			return tool.Result{Parts: tool.Text(fmt.Sprintf("%+v", a))}, nil
		})
	fixture.Must(t, err)
	return shown
}

func TestSchema(t *testing.T) {
	const want = `{"type":"object","properties":{"path":{"type":"string","description":"a file"},` +
		`"lines":{"type":"integer"},"tags":{"type":["null","array"],"items":{"type":"string"}},` +
		`"inner":{"type":"object","properties":{"deep":{"type":"boolean"}},` +
		`"additionalProperties":false}},"required":["path"],"additionalProperties":false}`
	if got := string(show(t, spec()).Spec().Input); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestArguments checks arguments that conform to the schema, and some that do not in every way.
func TestArguments(t *testing.T) {
	largest := fmt.Sprintf(`{"path":"x","lines":%d}`, int64(math.MaxInt64))
	for args, want := range map[string]string{
		`{"path":"x"}`: "{Path:x Lines:0 Tags:[] Inner:{Deep:false}}",
		largest: fmt.Sprintf("{Path:x Lines:%d Tags:[] Inner:{Deep:false}}",
			int64(math.MaxInt64)),
		`{"path":"x","lines":7.0}`:  "{Path:x Lines:7 Tags:[] Inner:{Deep:false}}",
		`{"path":"x","lines":-1e3}`: "{Path:x Lines:-1000 Tags:[] Inner:{Deep:false}}",
		`{"path":"x","lines":90071992547409930e-1}`: "{Path:x Lines:9007199254740993 Tags:[] " +
			"Inner:{Deep:false}}",
		`{"path":"","tags":["a","b"],"inner":{"deep":true}}`: "{Path: Lines:0 Tags:[a b] " +
			"Inner:{Deep:true}}",
	} {
		result, err := show(t, spec()).Call(t.Context(), tool.Call{Args: []byte(args)})
		if err != nil || result.Text() != want {
			t.Errorf("%s: %q, %v, want %q", args, result.Text(), err, want)
		}
	}
	for _, args := range []string{
		``, `{}`, `[]`, `null`, `"x"`, `{"path":1}`, `{"path":null}`, `{"PATH":"x"}`,
		`{"path":"x","y":1}`,
		`{"path":"x","path":"y"}`, `{"path":"x","lines":1.5}`, `{"path":"x","lines":9223372036854775808}`,
		`{"path":"x","lines":1e999999999}`, `{"path":"x","lines":1e300}`,
		`{"path":"x","lines":9007199254740993.5}`,
		`{"path":"x","tags":[1]}`, `{"path":"x","inner":{"deep":"no"}}`, `{"path":"x"`,
		`{"path":"\ud800"}`,
		`{"path":"x","inner":` + strings.Repeat(`{"deep":`, 1000),
	} {
		_, err := show(t, spec()).Call(t.Context(), tool.Call{Args: []byte(args)})
		e, ok := errors.AsType[*tool.Error](err)
		if !ok || e.Kind != tool.BadArguments {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// TestOwnSchema checks the schema of the spec, and its defaults.
func TestOwnSchema(t *testing.T) {
	s := spec()
	s.Input = json.RawMessage(`{"type":"object",` +
		`"properties":{"path":{"type":"string","enum":["x","y"]},` +
		`"lines":{"type":"integer","default":7}}}`)
	own := show(t, s)
	if string(own.Spec().Input) != string(s.Input) {
		t.Errorf("the schema became %s", own.Spec().Input)
	}
	for args, want := range map[string]string{
		`{"path":"y"}`:           "{Path:y Lines:7 Tags:[] Inner:{Deep:false}}",
		`{"path":"y","lines":8}`: "{Path:y Lines:8 Tags:[] Inner:{Deep:false}}",
		// The schema allows more keys, whose values it does not check.
		`{"Path":"z","LINES":9}`:                      "{Path: Lines:7 Tags:[] Inner:{Deep:false}}",
		`{"path":"y","path ":"z","inner":{"DEEP":1}}`: "{Path:y Lines:7 Tags:[] Inner:{Deep:false}}",
	} {
		result, err := own.Call(t.Context(), tool.Call{Args: []byte(args)})
		if err != nil || result.Text() != want {
			t.Errorf("%s: %q, %v, want %q", args, result.Text(), err, want)
		}
	}
	if _, err := own.Call(t.Context(), tool.Call{Args: []byte(`{"path":"z"}`)}); err == nil {
		t.Error("a value that is not of the enumeration was accepted")
	}
}

// TestDefaults checks that defaults arrive exactly, at every depth.
func TestDefaults(t *testing.T) {
	for _, tt := range []struct{ properties, args, want string }{
		{
			`"lines":{"default":9007199254740993}`, `{}`,
			`{Path: Lines:9007199254740993 Tags:[] Inner:{Deep:false}}`,
		},
		{
			`"lines":{"default":9223372036854775807}`, `{}`,
			`{Path: Lines:9223372036854775807 Tags:[] Inner:{Deep:false}}`,
		},
		{`"lines":{"default":7e1}`, `{}`, `{Path: Lines:70 Tags:[] Inner:{Deep:false}}`},
		{`"lines":{"default":7}`, `{"lines":null}`, `{Path: Lines:0 Tags:[] Inner:{Deep:false}}`},
		{`"tags":{"default":["a"]}`, `{}`, `{Path: Lines:0 Tags:[a] Inner:{Deep:false}}`},
		{
			`"inner":{"properties":{"deep":{"default":true}}}`, `{}`,
			`{Path: Lines:0 Tags:[] Inner:{Deep:true}}`,
		},
		{
			`"inner":{"properties":{"deep":{"default":true}}}`, `{"inner":{}}`,
			`{Path: Lines:0 Tags:[] Inner:{Deep:true}}`,
		},
		{
			`"inner":{"default":{},"properties":{"deep":{"default":true}}}`, `{}`,
			`{Path: Lines:0 Tags:[] Inner:{Deep:true}}`,
		},
		{
			`"inner":{"default":null,"properties":{"deep":{"default":true}}}`, `{}`,
			`{Path: Lines:0 Tags:[] Inner:{Deep:false}}`,
		},
	} {
		s := spec()
		s.Input = json.RawMessage(`{"type":"object","properties":{` + tt.properties + `}}`)
		result, err := show(t, s).Call(t.Context(), tool.Call{Args: []byte(tt.args)})
		if err != nil || result.Text() != tt.want {
			t.Errorf("%s, %s: %q, %v, want %q", tt.properties, tt.args, result.Text(), err, tt.want)
		}
	}
}

func TestNewRejects(t *testing.T) {
	withInput := func(input string) (tool.Tool, error) {
		s := spec()
		s.Input = json.RawMessage(input)
		return typed.New(s, handler[arguments])
	}
	_, ofString := typed.New(spec(), handler[string])
	_, ofChannel := typed.New(spec(), handler[struct{ C chan int }])
	_, otherType := withInput(`{"type":"string"}`)
	_, noType := withInput(`{}`)
	_, noSchema := withInput(`{"type":`)
	for _, tt := range []struct {
		err  error
		want string
	}{
		{ofString, "its arguments are not a JSON object; use a struct"},
		{ofChannel, "its arguments have no schema"},
		{otherType, `the type of its schema is not "object"`},
		{noType, `the type of its schema is not "object"`},
		{noSchema, "the schema of its arguments is invalid"},
	} {
		if want := "tool own/count: " + tt.want; !strings.HasPrefix(fmt.Sprint(tt.err), want) {
			t.Errorf("%v, want %s", tt.err, want)
		}
	}
}

func handler[Args any](context.Context, Args, tool.Budget) (tool.Result, error) {
	return tool.Result{}, nil
}
