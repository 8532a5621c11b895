package jsonobject

import (
	"bytes"
	"encoding/json"
	"math/big"
	"reflect"
	"testing"
	"unicode/utf8"
)

// FuzzParse checks Parse against encoding/json: what Parse accepts, encoding/json accepts and reads as the same values.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "null", "[{}]", `{"a":1,"b":[true,false,null,"x",-1.5e+3,{"c":{}}]}`, ` { "a" : [ ] } `, `{"a":1,"a":2}`,
		`{"\ud83d\ude00":"\u0000\/\"\\\b\f\n\r\t"}`, `{"a":"\ud800"}`, "{\"a\":\"\xff\"}", `{"a":1e999999999}`, `{"a":[[[[[`,
		`{"a":[1,]}`, `{"a":01}`, `{"a":-0}`, `{} {}`, "{\"\u2028\":\"\x7f\"}", `{"a":{"b":1,"\u0062":2}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var want map[string]any
		wantErr := decode(data, &want)
		o, err := Parse(data)
		if err == nil {
			if wantErr != nil || want == nil {
				t.Fatalf("accepted %q, which encoding/json reads as %v, %v", data, want, wantErr)
			}
			if got := members(o); !reflect.DeepEqual(got, want) {
				t.Fatalf("%q reads as %v, want %v", data, got, want)
			}
			return
		}
		if !utf8.ValidString(err.Error()) {
			t.Fatalf("the message %q is not UTF-8", err)
		}
		// Parse must accept what encoding/json writes: every key is unique, and all text is UTF-8.
		if wantErr != nil || want == nil || bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > maxDepth {
			return
		}
		clean, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if o, err := Parse(clean); err != nil {
			t.Fatalf("refused %q: %v", clean, err)
		} else if got := members(o); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q reads as %v, want %v", clean, got, want)
		}
	})
}

// decode reads data with encoding/json and keeps numbers as they are written.
func decode(data []byte, v any) error {
	if !json.Valid(data) {
		return &json.SyntaxError{}
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(v)
}

func members(o *Object) map[string]any {
	m := make(map[string]any)
	for _, key := range o.Keys() {
		v, _ := o.Get(key)
		m[key] = decoded(v)
	}
	return m
}

// decoded returns what encoding/json would decode v to.
func decoded(v Value) any {
	switch v.Type() {
	case TypeBoolean:
		b, _ := v.Bool()
		return b
	case TypeNumber:
		return json.Number(v.Raw())
	case TypeString:
		text, _ := v.Text()
		return text
	case TypeArray:
		elements, _ := v.Array()
		list := make([]any, len(elements))
		for i, element := range elements {
			list[i] = decoded(element)
		}
		return list
	case TypeObject:
		o, _ := v.Object()
		return members(o)
	default:
		return nil
	}
}

// FuzzInteger checks Integer against exact arithmetic.
func FuzzInteger(f *testing.F) {
	for _, seed := range []string{"0", "-0.0e5", "7", "2.50e1", "25e-2", "9223372036854775808", "-9223372036854775808.0", "1e18", "10e18", "0.001e3", "1e300"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o, err := Parse([]byte(`{"n":` + text + `}`))
		if err != nil {
			return
		}
		v, _ := o.Get("n")
		// Exact arithmetic needs memory for every digit, so large exponents are left out.
		if i := bytes.IndexAny(v.Raw(), "eE"); v.Type() != TypeNumber || i >= 0 && len(v.Raw())-i > 5 {
			return
		}
		exact, ok := new(big.Rat).SetString(string(v.Raw()))
		if !ok {
			t.Fatalf("%s is a number to Parse, but not to math/big", v.Raw())
		}
		want := ErrNotInteger
		if exact.IsInt() {
			want = ErrRange
			if exact.Num().IsInt64() {
				want = nil
			}
		}
		got, err := v.Integer()
		if err != want || err == nil && got != exact.Num().Int64() {
			t.Fatalf("%s is %d, %v; want %s, %v", v.Raw(), got, err, exact, want)
		}
	})
}
