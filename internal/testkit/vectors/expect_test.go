//go:build unix

package vectors

import (
	"errors"
	"fmt"
	"testing"

	"gander/tool"
)

func TestCheck(t *testing.T) {
	ok, failed := ptr(true), ptr(false)
	shown := tool.Result{Parts: tool.Text("a\n"), Display: "one"}
	alone := tool.Result{Parts: tool.Text("a\n")}
	document := tool.Result{Parts: tool.Text(`{"n": 1, "a": [null, "x"]}`)}
	failure := fmt.Errorf("wrapped: %w", &tool.Error{Code: "C", Message: "no such thing", Display: "no"})
	tests := []struct {
		name   string
		expect Expect
		result tool.Result
		err    error
		passes bool
	}{
		{"nothing asserted", Expect{OK: ok}, shown, nil, true},
		{"all of an answer", Expect{OK: ok, Content: ptr("a\n"), Display: ptr("one")}, shown, nil, true},
		{"content", Expect{OK: ok, Content: ptr("a")}, shown, nil, false},
		{"display", Expect{OK: ok, Display: ptr("One")}, shown, nil, false},
		{"content serves as display", Expect{OK: ok, Display: ptr("a\n")}, alone, nil, true},
		{"json", Expect{OK: ok, JSON: []byte(`{"a":["\u006eull",1]}`)}, document, nil, false},
		{"json, other order and space", Expect{OK: ok, JSON: []byte(`{"a":[null,"\u0078"],"n":1}`)}, document, nil, true},
		{"json, other number", Expect{OK: ok, JSON: []byte(`{"a":[null,"x"],"n":2}`)}, document, nil, false},
		{"json, key missing", Expect{OK: ok, JSON: []byte(`{"a":[null,"x"],"n":1,"m":null}`)}, document, nil, false},
		{"json of text", Expect{OK: ok, JSON: []byte(`"a"`)}, shown, nil, false},
		{"message of an answer", Expect{OK: ok, Message: ptr("")}, shown, nil, false},
		{"code of an answer", Expect{OK: ok, Code: ptr("")}, shown, nil, false},
		{"answer for failure", Expect{OK: failed}, shown, nil, false},
		{"failure for answer", Expect{OK: ok}, tool.Result{}, failure, false},
		{"all of a failure", Expect{OK: failed, Message: ptr("no such thing"), MessageContains: ptr("such"), Code: ptr("C"), Display: ptr("no")}, tool.Result{}, failure, true},
		{"message", Expect{OK: failed, Message: ptr("no such")}, tool.Result{}, failure, false},
		{"part of the message", Expect{OK: failed, MessageContains: ptr("Such")}, tool.Result{}, failure, false},
		{"code", Expect{OK: failed, Code: ptr("")}, tool.Result{}, failure, false},
		{"display of a failure", Expect{OK: failed, Display: ptr("no such thing")}, tool.Result{}, failure, false},
		{"content of a failure", Expect{OK: failed, Content: ptr("")}, tool.Result{}, failure, false},
		{"json of a failure", Expect{OK: failed, JSON: []byte("{}")}, tool.Result{}, failure, false},
		{"an error of another type", Expect{OK: failed}, tool.Result{}, errors.New("x"), false},
	}
	for _, tt := range tests {
		if err := tt.expect.check(tt.result, tt.err); (err == nil) != tt.passes {
			t.Errorf("%s: passes is %v (%v)", tt.name, !tt.passes, err)
		}
	}
}

func TestCheckDefinition(t *testing.T) {
	spec := tool.Spec{Name: "n", Description: "d", Input: []byte(`{"type":"object","properties":{}}`), Risk: "Low"}
	tests := []struct {
		name   string
		d      Definition
		passes bool
	}{
		{"nothing asserted", Definition{}, true},
		{"all", Definition{Name: ptr("n"), Description: ptr("d"), Schema: []byte(`{"properties":{},"type":"object"}`), SideEffects: ptr(false), RequiresApproval: ptr(false), Risk: ptr("Low")}, true},
		{"name", Definition{Name: ptr("N")}, false},
		{"description", Definition{Description: ptr("")}, false},
		{"schema", Definition{Schema: []byte(`{"type":"object"}`)}, false},
		{"parameters", Definition{Parameters: []byte(`{"type":"object"}`)}, false},
		{"side effects", Definition{SideEffects: ptr(true)}, false},
		{"approval", Definition{RequiresApproval: ptr(true)}, false},
		{"risk", Definition{Risk: ptr("low")}, false},
	}
	for _, tt := range tests {
		if err := tt.d.check(spec); (err == nil) != tt.passes {
			t.Errorf("%s: passes is %v (%v)", tt.name, !tt.passes, err)
		}
	}
}
