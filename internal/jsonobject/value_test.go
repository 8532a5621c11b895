package jsonobject

import (
	"math"
	"strings"
	"testing"
)

// value parses text as a JSON value.
func value(t *testing.T, text string) Value {
	t.Helper()
	o, err := Parse([]byte(`{"v":` + text + `}`))
	if err != nil {
		t.Fatal(err)
	}
	v, _ := o.Get("v")
	return v
}

func TestReaders(t *testing.T) {
	tests := []struct {
		text string
		want Type
	}{
		{"null", TypeNull},
		{"true", TypeBoolean},
		{"false", TypeBoolean},
		{"-0.5", TypeNumber},
		{"7", TypeNumber},
		{`"true"`, TypeString},
		{`"7"`, TypeString},
		{"[]", TypeArray},
		{"{}", TypeObject},
	}
	for _, tt := range tests {
		v := value(t, tt.text)
		if got := v.Type(); got != tt.want {
			t.Errorf("%s is of type %q, want %q", tt.text, got, tt.want)
		}
		_, isText := v.Text()
		b, isBool := v.Bool()
		_, isArray := v.Array()
		_, isObject := v.Object()
		for typ, got := range map[Type]bool{TypeString: isText, TypeBoolean: isBool, TypeArray: isArray, TypeObject: isObject} {
			if got != (typ == tt.want) {
				t.Errorf("%s read as %s: ok is %v", tt.text, typ, got)
			}
		}
		if b != (tt.text == "true") {
			t.Errorf("%s read as boolean is %v", tt.text, b)
		}
	}
}

func TestLiteral(t *testing.T) {
	for text, want := range map[string]string{
		`"7"`: "7", `"-7.5e1"`: "-7.5e1", `"true"`: "true", `"false"`: "false", `"\u0037"`: "7", "7": "7", "null": "null",
		`""`: `""`, `"7 "`: `"7 "`, `" 7"`: `" 7"`, `"07"`: `"07"`, `"7,8"`: `"7,8"`, `"null"`: `"null"`, `"+7"`: `"+7"`, `["7"]`: `["7"]`,
	} {
		if got := string(value(t, text).Literal().Raw()); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	if (Value{}).Literal().Type() != "" {
		t.Error("the zero value has a literal")
	}
}

func TestZeroValue(t *testing.T) {
	var v Value
	_, isText := v.Text()
	_, isBool := v.Bool()
	_, isArray := v.Array()
	_, isObject := v.Object()
	_, integerErr := v.Integer()
	if v.Type() != "" || v.Raw() != nil || isText || isBool || isArray || isObject || integerErr != ErrNotInteger {
		t.Error("a method found something in the zero Value")
	}
}

func TestText(t *testing.T) {
	tests := []struct{ text, want string }{
		{`""`, ""},
		{`"a\/b\\\"\b\f\n\r\t"`, "a/b\\\"\b\f\n\r\t"},
		{`"\u0000\u0041\u00e9\uFFFF\uFfFd"`, "\x00Aé\uffff\ufffd"},
		{`"x\ud83d\ude00y\uDBFF\uDFFF"`, "x😀y\U0010ffff"},
		{`"é漢😀` + "\u2028\x7f" + `"`, "é漢😀\u2028\x7f"},
		{`"\\u0041"`, `\u0041`},
	}
	for _, tt := range tests {
		if got, ok := value(t, tt.text).Text(); !ok || got != tt.want {
			t.Errorf("%s stands for %q, %v; want %q", tt.text, got, ok, tt.want)
		}
	}
}

func TestNested(t *testing.T) {
	elements, ok := value(t, ` [ 1 , "a,]" , {"k":[2]} ] `).Array()
	if !ok || len(elements) != 3 {
		t.Fatalf("got %d elements, %v", len(elements), ok)
	}
	if n, err := elements[0].Integer(); n != 1 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
	if text, _ := elements[1].Text(); text != "a,]" {
		t.Errorf("got %q", text)
	}
	o, ok := elements[2].Object()
	if !ok {
		t.Fatal("the third element does not read as an object")
	}
	if k, ok := o.Get("k"); !ok || string(k.Raw()) != "[2]" {
		t.Errorf("k is %s, %v", k.Raw(), ok)
	}
	if empty, ok := value(t, "[ ]").Array(); !ok || empty == nil || len(empty) != 0 {
		t.Errorf("an empty array reads as %v, %v", empty, ok)
	}
}

func TestIntegers(t *testing.T) {
	tests := []struct {
		text string
		want int64
		err  error
	}{
		{"0", 0, nil},
		{"-0", 0, nil},
		{"7", 7, nil},
		{"-70", -70, nil},
		{"9223372036854775807", math.MaxInt64, nil},
		{"-9223372036854775808", math.MinInt64, nil},
		{"9223372036854775808", math.MaxInt64, ErrRange},
		{"-9223372036854775809", math.MinInt64, ErrRange},
		{"10000000000000000000", math.MaxInt64, ErrRange},
		{"-100000000000000000000", math.MinInt64, ErrRange},
		{"2.0", 2, nil},
		{"2e0", 2, nil},
		{"-2E+2", -200, nil},
		{"2.50e1", 25, nil},
		{"2500e-2", 25, nil},
		{"0.002e3", 2, nil},
		{"0.0", 0, nil},
		{"0e999999999999999999999", 0, nil},
		{"9223372036854775807.000", math.MaxInt64, nil},
		{"9.223372036854775807e18", math.MaxInt64, nil},
		{"1e18", 1e18, nil},
		{"1e19", math.MaxInt64, ErrRange},
		{"-1e999999999", math.MinInt64, ErrRange},
		{"1e99999999999999999999999999", math.MaxInt64, ErrRange},
		{"1e-99999999999999999999999999", 0, ErrNotInteger},
		{"1.5", 0, ErrNotInteger},
		{"25e-1", 0, ErrNotInteger},
		{"1.00000000000000000000000001", 0, ErrNotInteger},
		{"9007199254740992.5", 0, ErrNotInteger},
		{"1" + strings.Repeat("0", 40) + "e-40", 1, nil},
		{"0." + strings.Repeat("0", 40) + "1e41", 1, nil},
		{`"7"`, 0, ErrNotInteger},
		{"true", 0, ErrNotInteger},
		{"null", 0, ErrNotInteger},
		{"[7]", 0, ErrNotInteger},
	}
	for _, tt := range tests {
		if got, err := value(t, tt.text).Integer(); got != tt.want || err != tt.err {
			t.Errorf("Integer of %s is %d, %v; want %d, %v", tt.text, got, err, tt.want, tt.err)
		}
	}
}
