package jsonobject

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"gander/internal/testkit/fixture"
)

const valid = `{}
 { "a" : [ ] } 
{"a":1,"b":[true,false,null,"x",-1.5e+3,{"c":{}}]}
{"\ud83d\ude00":"\u0000\/\"\\\b\f\n\r\t"}
{"a":"\u0041\u00e9\uFFFF\uFfFdx\ud83d\ude00y\uDBFF\uDFFFé漢😀\\u0041"}
{"a":1e999999999,"b":-0}
{"` + "\u2028\":\"\x7f" + `"}`

// FuzzParse checks that encoding/json accepts what Parse accepts, and reads the same values.
func FuzzParse(f *testing.F) {
	for line := range strings.SplitSeq(valid, "\n") {
		if _, err := Parse([]byte(line)); err != nil {
			f.Errorf("%s: %v", line, err)
		}
		f.Add([]byte(line))
	}
	invalid, err := os.ReadFile("testdata/invalid.txt")
	fixture.Must(f, err)
	unprintable := "{\"a\":\"\t\"}\n{\"a\":\"\xff\"}\n{\"\xff\":1}\n" +
		"{\"a\":\"\xed\xa0\x80\"}\n{\"a\":\"\xc0\x80\"}"
	for line := range strings.SplitSeq(string(invalid)+unprintable, "\n") {
		if _, err := Parse([]byte(line)); err == nil {
			f.Errorf("%q was accepted", line)
		}
		f.Add([]byte(line))
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
		if wantErr != nil || want == nil ||
			bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > maxDepth {
			return
		}
		clean, err := json.Marshal(want)
		fixture.Must(t, err)
		if o, err := Parse(clean); err != nil {
			t.Fatalf("refused %q: %v", clean, err)
		} else if got := members(o); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q reads as %v, want %v", clean, got, want)
		}
	})
}

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
