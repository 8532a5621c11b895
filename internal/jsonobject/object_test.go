package jsonobject

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	o, err := Parse([]byte(" {\"z\": 1, \"a\\u0062\" : [true , {\"a\":null}],\r\n\t\"\": \"\\ud83d\\ude00\", \"Z\":{}} \n"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := o.Keys(), []string{"z", "ab", "", "Z"}; !slices.Equal(got, want) {
		t.Errorf("keys are %q, want %q", got, want)
	}
	for key, want := range map[string]string{"z": "1", "ab": `[true , {"a":null}]`, "": `"\ud83d\ude00"`, "Z": "{}"} {
		if v, ok := o.Get(key); !ok || string(v.Raw()) != want {
			t.Errorf("Get(%q) is %s, %v; want %s", key, v.Raw(), ok, want)
		}
	}
	for _, key := range []string{"AB", "zz", `a\u0062`} {
		if v, ok := o.Get(key); ok || v.Type() != "" {
			t.Errorf("Get(%q) is %s, %v; want none", key, v.Raw(), ok)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct{ input, message string }{
		{"", "byte 1: end of input where a JSON object must stand"},
		{" ", "byte 2: end of input where a JSON object"},
		{"[]", "byte 1: array where a JSON object"},
		{"null", "byte 1: null where a JSON object"},
		{"\ufeff{}", `byte 1: '\ufeff' where a JSON object`},
		{"\x00{}", `byte 1: '\x00' where a JSON object`},
		{"{", "byte 2: unexpected end of input; give the whole object"},
		{"{a:1}", "byte 2: invalid character 'a'"},
		{"{1:2}", "byte 2: object member name must be a string"},
		{`{"a":1,}`, "byte 7: invalid character ','"},
		{`{"a"}`, `byte 5, in "a": invalid character '}' after object name (expecting ':')`},
		{`{"a":}`, `byte 6, in "a": `},
		{`{"a":1`, "byte 7: unexpected end of input"},
		{`{"a":1 "b":2}`, `byte 8: invalid character '"' after object value (expecting ',' or '}')`},
		{`{} {}`, "byte 4: object after the end of the object; give exactly one JSON object"},
		{"{}\x00", `byte 3: '\x00' after the end`},
		{"{}\xff", "byte 3: '\ufffd' after the end"},
		{`{"a":1,"a":2}`, `byte 8: the key "a" is given twice; give it once`},
		{`{"a":1,"\u0061":2}`, `byte 8: the key "a" is given twice`},
		{`{"a":{"b":1,"b":2}}`, `byte 13, in "a": the key "b" is given twice`},
		{`{"a":[{"b":{"c":1,"d":2,"c":1}}]}`, `byte 25, in "a/0/b": the key "c" is given twice`},
		{`{"a":[1,]}`, `byte 8, in "a": invalid character ','`},
		{`{"a":[1 2]}`, `byte 9, in "a": invalid character '2' after array element (expecting ',' or ']')`},
		{`{"a":[1}`, `byte 8, in "a": invalid character '}' after array element`},
		{`{"a":nul}`, `byte 9, in "a": invalid character '}' in literal null`},
		{`{"a":True}`, `byte 6, in "a": invalid character 'T'`},
		{`{"a":NaN}`, `byte 6, in "a": invalid character 'N'`},
		{`{"a":'b'}`, `byte 6, in "a": invalid character '\''`},
		{`{"a":01}`, `byte 7: invalid character '1' after object value`},
		{`{"a":+1}`, `byte 6, in "a": invalid character '+'`},
		{`{"a":-}`, `byte 7, in "a": invalid character '}' in number (expecting digit)`},
		{`{"a":.5}`, `byte 6, in "a": invalid character '.'`},
		{`{"a":1.}`, `byte 8, in "a": invalid character '}' in number`},
		{`{"a":1e}`, `byte 8, in "a": invalid character '}' in number`},
		{`{"a":1e+}`, `byte 9, in "a": invalid character '}' in number`},
		{`{"a":-Infinity}`, `byte 7, in "a": invalid character 'I' in number`},
		{`{"a":0x10}`, `byte 7: invalid character 'x' after object value`},
		{`{"a":1/**/}`, `byte 7: invalid character '/' after object value`},
		{`{"a":"`, `byte 7, in "a": unexpected end of input`},
		{`{"a":"\`, `byte 7, in "a": unexpected end of input`},
		{`{"a":"\x41"}`, `byte 7, in "a": invalid escape sequence`},
		{`{"a":"\u12G4"}`, `byte 7, in "a": invalid escape sequence`},
		{`{"a":"\u12`, `byte 7, in "a": unexpected end of input`},
		{"{\"a\":\"\n\"}", `byte 7, in "a": invalid character '\n' in string`},
		{"{\"a\":\"\xff\"}", `byte 7, in "a": invalid UTF-8`},
		{"{\"a\":\"\xed\xa0\x80\"}", `byte 7, in "a": invalid UTF-8`},
		{"{\"a\":\"\xc0\x80\"}", `byte 7, in "a": invalid UTF-8`},
		{"{\"\xff\":1}", "byte 3: invalid UTF-8"},
		{`{"a":["\ud800"]}`, `byte 8, in "a/0": invalid surrogate pair`},
		{`{"a":"\udc00\ud800"}`, `byte 7, in "a": invalid surrogate pair`},
		{`{"a":"\ud800\u0041"}`, `byte 7, in "a": invalid surrogate pair`},
		{`{"a":"\ud800x"}`, `byte 7, in "a": invalid surrogate pair`},
		{`{"\ud83d":1}`, `byte 3: invalid surrogate pair`},
	}
	for _, tt := range tests {
		_, err := Parse([]byte(tt.input))
		if err == nil {
			t.Errorf("%q was accepted", tt.input)
		} else if !strings.Contains(err.Error(), tt.message) {
			t.Errorf("%q: the message is %q, want %q in it", tt.input, err, tt.message)
		}
	}
}

func TestDepth(t *testing.T) {
	nested := func(n int) []byte {
		return []byte(`{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}")
	}
	if _, err := Parse(nested(maxDepth - 1)); err != nil {
		t.Errorf("depth %d: %v", maxDepth, err)
	}
	if _, err := Parse(nested(maxDepth)); err == nil {
		t.Errorf("depth %d was accepted", maxDepth+1)
	}
	// Arrays and objects that have been closed do not count.
	if _, err := Parse([]byte(`{"a":[` + strings.Repeat("[],{},[0],", 1000) + `0]}`)); err != nil {
		t.Error(err)
	}
}

func TestHostileInput(t *testing.T) {
	const size = 1 << 20
	refused := map[string]string{
		"brackets":      strings.Repeat("[", size),
		"in a key":      `{"a":` + strings.Repeat("[", size),
		"objects":       strings.Repeat(`{"a":`, size/5),
		"a key twice":   `{"` + strings.Repeat("k", size) + `":1,"` + strings.Repeat("k", size) + `":2}`,
		"a long string": `{"a":"` + strings.Repeat(`\u0041`, size/6),
		"a long number": `{"a":` + strings.Repeat("1", size),
	}
	for name, input := range refused {
		_, err := Parse([]byte(input))
		if err == nil {
			t.Errorf("%s: accepted", name)
		} else if len(err.Error()) > 300 {
			t.Errorf("%s: the message has %d bytes", name, len(err.Error()))
		}
	}
	o, err := Parse([]byte(`{"n":1e999999999,"long":` + strings.Repeat("9", size) + `,"e":0.1e-` + strings.Repeat("9", size) + `}`))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]error{"n": ErrRange, "long": ErrRange, "e": ErrNotInteger} {
		v, _ := o.Get(key)
		if _, err := v.Integer(); err != want {
			t.Errorf("%s: got %v, want %v", key, err, want)
		}
	}
}

func TestManyArguments(t *testing.T) {
	for _, tt := range []struct {
		json string
		ok   bool
	}{
		{`{"a":[` + strings.Repeat("1,", maxValues-10) + `1]}`, true},
		{`{"a":[` + strings.Repeat("1,", maxValues) + `1]}`, false},
		{`{"a":[` + strings.Repeat("[],", maxValues/2) + `1]}`, false},
		{`{"a":{"b":"` + strings.Repeat("x", 2*maxValues) + `"}}`, true},
	} {
		if _, err := Parse([]byte(tt.json)); (err == nil) != tt.ok {
			t.Errorf("%.30s: %v", tt.json, err)
		}
	}
	var keys strings.Builder
	for i := range maxValues {
		fmt.Fprintf(&keys, `"%d":1,`, i)
	}
	if _, err := Parse([]byte(`{` + keys.String() + `"a":1}`)); err == nil {
		t.Error("too many keys are accepted")
	}
}
