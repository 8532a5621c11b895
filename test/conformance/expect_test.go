package conformance

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"gander/internal/testkit"
	"gander/tool"
)

// An expect is the expected outcome of a call. A nil field is not checked.
type expect struct {
	OK              *bool
	Content         *string // may contain the placeholders ${DATE} and ${SIZE}
	JSON            json.RawMessage
	Display         *string
	Message         *string
	MessageContains *string `json:"message_contains"`
	Code            *string
	ContentBlocks   json.RawMessage `json:"content_blocks"` // content for an MCP client
	Structured      json.RawMessage // structuredContent for an MCP client
}

// check returns an error that describes how the outcome of a call differs from e, if it does.
func (e expect) check(result tool.Result, err error) error {
	failure, failed := errors.AsType[*tool.Error](err)
	switch {
	case err != nil && !failed:
		return fmt.Errorf("got a %T: %w", err, err)
	case failed == *e.OK:
		return fmt.Errorf("got %q and error %w", result.Text(), err)
	case failed:
		part := cmp.Or(e.MessageContains, new(""))
		if !strings.Contains(failure.Message, *part) {
			return fmt.Errorf("got message %q without %q", failure.Message, *part)
		}
		return errors.Join(
			none("content", e.Content != nil || e.JSON != nil),
			same("message", e.Message, failure.Message),
			same("code", e.Code, failure.Code),
			same("display", e.Display, cmp.Or(failure.Display, failure.Message)),
		)
	default:
		return errors.Join(
			none("error", e.Message != nil || e.MessageContains != nil || e.Code != nil),
			same("content", e.Content, result.Text()),
			sameJSON("json", e.JSON, []byte(result.Text())),
			same("display", e.Display, cmp.Or(result.Display, result.Text())),
		)
	}
}

// checkSent is like check for the result of an MCP client.
func (e expect) checkSent(content, structured []byte) error {
	errs := []error{sameJSON("content blocks", e.ContentBlocks, content)}
	if e.Structured != nil || len(structured) == 0 {
		errs = append(errs, sameJSON("structured content", e.Structured, structured))
	}
	return errors.Join(errs...)
}

// none returns an error if something is expected that this kind of outcome cannot have.
func none(what string, expected bool) error {
	if expected {
		return fmt.Errorf("the case expects a missing %s", what)
	}
	return nil
}

// same returns an error if got differs from want, unless want is nil.
func same(what string, want *string, got string) error {
	if want == nil || *want == got {
		return nil
	}
	pattern := strings.NewReplacer(
		regexp.QuoteMeta("${DATE}"), `[A-Z][a-z]{2} [A-Z][a-z]{2} \d{2} \d{4,} \d{2}:\d{2}:\d{2} `+
			`GMT\+0000 \(Coordinated Universal Time\)`,
		regexp.QuoteMeta("${SIZE}"), `\d+`,
	).Replace(regexp.QuoteMeta(*want))
	if regexp.MustCompile("^" + pattern + "$").MatchString(got) {
		return nil
	}
	return fmt.Errorf("%s differs (-want +got):\n%s", what, gocmp.Diff(*want, got))
}

// sameJSON is like same for JSON values. Numbers are compared as text.
func sameJSON(what string, want, got []byte) error {
	if want == nil {
		return nil
	}
	var values [2]any
	for i, text := range [][]byte{want, got} {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&values[i]); err != nil || !json.Valid(text) {
			return fmt.Errorf("%s: %w in %s", what, err, text)
		}
	}
	if diff := gocmp.Diff(values[0], values[1]); diff != "" {
		return fmt.Errorf("%s differs (-want +got):\n%s", what, diff)
	}
	return nil
}

// TestExpect checks that differences from an expectation are reported.
func TestExpect(t *testing.T) {
	shown := tool.Result{Parts: tool.Text("a\n"), Display: "one"}
	document := tool.Result{Parts: tool.Text(`{"n": 1, "a": [null, "x"]}`)}
	failure := &tool.Error{Code: "C", Message: "no such", Display: "no"}
	for _, tt := range []struct {
		expect string
		result tool.Result
		err    error
		ok     bool
	}{
		{`{"ok":true,"content":"a\n","display":"one"}`, shown, nil, true},
		{`{"ok":true,"content":"a"}`, shown, nil, false},
		{`{"ok":true,"content":"${SIZE}\n"}`, shown, nil, false},
		{`{"ok":true,"display":"One"}`, shown, nil, false},
		{`{"ok":true,"json":{"a":[null,"\u0078"],"n":1}}`, document, nil, true},
		{`{"ok":true,"json":{"a":[null,"x"],"n":1.0}}`, document, nil, false},
		{`{"ok":true,"message":""}`, shown, nil, false},
		{`{"ok":false}`, shown, nil, false},
		{`{"ok":false,"message":"no such","code":"C","display":"no"}`, shown, failure, true},
		{`{"ok":false,"message":"no"}`, shown, failure, false},
		{`{"ok":false,"message_contains":"Such"}`, shown, failure, false},
		{`{"ok":false,"code":""}`, shown, failure, false},
		{`{"ok":false}`, shown, errors.New("x"), false},
	} {
		var e expect
		testkit.Must(t, strict([]byte(tt.expect), &e))
		if err := e.check(tt.result, tt.err); (err == nil) != tt.ok {
			t.Errorf("%s: got %v", tt.expect, err)
		}
	}
}
