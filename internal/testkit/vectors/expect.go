//go:build unix

package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/google/go-cmp/cmp"

	"gander/tool"
)

// check returns an error that says how the outcome of a call differs from the expectation.
func (e Expect) check(result tool.Result, err error) error {
	if err != nil {
		var failure *tool.Error
		if !errors.As(err, &failure) {
			return fmt.Errorf("the error is a %T, not a *tool.Error: %w", err, err)
		}
		if *e.OK {
			return fmt.Errorf("it failed: %s %q: %s", failure.Kind, failure.Code, failure.Message)
		}
		return e.checkFailure(failure)
	}
	if !*e.OK {
		return fmt.Errorf("it did not fail, and returned:\n%s", result.Text())
	}
	return errors.Join(
		absent("message", e.Message),
		absent("message_contains", e.MessageContains),
		absent("code", e.Code),
		sameContent(e.Content, result.Text()),
		sameJSON("json", e.JSON, []byte(result.Text())),
		same("display", e.Display, either(result.Display, result.Text())),
	)
}

// checkSent returns an error that says how what an MCP client gets differs from the expectation.
func (e Expect) checkSent(content, structured []byte) error {
	errs := []error{sameJSON("content blocks", e.ContentBlocks, content)}
	if e.Structured != nil || len(structured) == 0 {
		errs = append(errs, sameJSON("structured content", e.Structured, structured))
	}
	return errors.Join(errs...)
}

// sameContent is same for content, in which ${DATE} and ${SIZE} stand for what cannot be known.
func sameContent(want *string, got string) error {
	if want == nil || !strings.Contains(*want, "${DATE}") && !strings.Contains(*want, "${SIZE}") {
		return same("content", want, got)
	}
	pattern := regexp.QuoteMeta(*want)
	pattern = strings.ReplaceAll(pattern, regexp.QuoteMeta("${DATE}"), `[A-Z][a-z]{2} [A-Z][a-z]{2} \d{2} \d{4,} \d{2}:\d{2}:\d{2} GMT\+0000 \(Coordinated Universal Time\)`)
	pattern = strings.ReplaceAll(pattern, regexp.QuoteMeta("${SIZE}"), `\d+`)
	if !regexp.MustCompile("^" + pattern + "$").MatchString(got) {
		return fmt.Errorf("content differs: want\n%s\ngot\n%s", *want, got)
	}
	return nil
}

func (e Expect) checkFailure(failure *tool.Error) error {
	errs := []error{
		absent("content", e.Content),
		same("message", e.Message, failure.Message),
		same("code", e.Code, failure.Code),
		same("display", e.Display, either(failure.Display, failure.Message)),
	}
	if e.JSON != nil {
		errs = append(errs, errors.New("the case expects json, which a failure does not have"))
	}
	if part := e.MessageContains; part != nil && !strings.Contains(failure.Message, *part) {
		errs = append(errs, fmt.Errorf("the message %q does not contain %q", failure.Message, *part))
	}
	return errors.Join(errs...)
}

// either returns the text for a person: display, or text if display is empty.
func either(display, text string) string {
	if display != "" {
		return display
	}
	return text
}

// absent returns an error if the case expects something that an outcome of this kind does not have.
func absent(what string, want *string) error {
	if want == nil {
		return nil
	}
	return fmt.Errorf("the case expects the %s %q, which an outcome of this kind does not have", what, *want)
}

// same returns an error that says how got differs from want, if want is not nil.
func same[T comparable](what string, want *T, got T) error {
	if want == nil || *want == got {
		return nil
	}
	return fmt.Errorf("%s differs (-want +got):\n%s", what, cmp.Diff(*want, got))
}

// sameJSON is like same for JSON values; it compares numbers as they are written.
func sameJSON(what string, want, got []byte) error {
	if want == nil {
		return nil
	}
	var values [2]any
	for i, text := range [][]byte{want, got} {
		if !json.Valid(text) {
			return fmt.Errorf("%s: not JSON: %s", what, text)
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&values[i]); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	if diff := cmp.Diff(values[0], values[1]); diff != "" {
		return fmt.Errorf("%s differs (-want +got):\n%s", what, diff)
	}
	return nil
}

// check returns an error that says how what a tool publishes differs from the definition.
func (d *Definition) check(s tool.Spec) error {
	return errors.Join(
		same("name", d.Name, s.Name),
		same("description", d.Description, s.Description),
		sameJSON("schema", d.Schema, s.Input),
		sameJSON("parameters", d.Parameters, s.Input),
		same("is_side_effecting", d.SideEffects, s.SideEffects),
		same("requires_approval", d.RequiresApproval, s.RequiresApproval),
		same("risk_level", d.Risk, s.Risk),
	)
}
