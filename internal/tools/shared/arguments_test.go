package shared

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"gander/tool"
)

func testMessages() Messages {
	return Messages{
		Prefix:  "wrong: ",
		JSON:    "{error}",
		Missing: "{key} is missing",
		Unknown: "{key} is none of {keys}",
		String:  "{key} is no string but {type}",
		Boolean: "{key} is no boolean but {type}",
		Array:   "{key} is no array but {type}",
		Object:  "{key} is no object but {type}",
		Integer: "{key} is no integer: {value}",
		Range:   "{key} is not from {min} to {max}: {value}",
		Choice:  "{key} is not {choices}: {value}",
		Quote:   "'",
		Element: "%s[%d]",
		Member:  "%s.%s",
	}
}

// TestArguments reads one argument of each type, given or absent.
func TestArguments(t *testing.T) {
	type values struct {
		String        string
		Bool          bool
		Int, Unsigned int
		Choice        string
		Strings       []string
		Member        bool
	}
	absent := values{"absent", true, 5, 6, "a", nil, true}
	for _, tt := range []struct {
		args, message string
		want          values
	}{
		{args: ``, message: "wrong: s is missing"},
		{args: `{}`, message: "wrong: s is missing"},
		{args: `[]`, message: "wrong: invalid JSON at byte 1: array where a JSON object must stand; " +
			`give one like {"key": "value"}`},
		{args: `{"s":null}`, message: "wrong: s is no string but null"},
		{
			args:    `{"s":"","x{key}":1}`,
			message: "wrong: x{key} is none of 's', 'b', 'i', 'u', 'c', 'l', 'o'",
		},
		{args: `{"s":"","b":"","i":""}`, message: "wrong: b is no boolean but string"},
		{args: `{"s":"","i":1.5}`, message: "wrong: i is no integer: 1.5"},
		{args: `{"s":"","i":"{key}{type}"}`, message: `wrong: i is no integer: "{key}{type}"`},
		{args: `{"s":"","i":8}`, message: "wrong: i is not from -7 to 7: 8"},
		{args: `{"s":"","i":-1e400}`, message: "wrong: i is not from -7 to 7: -1e400"},
		{args: `{"s":"","u":1.0}`, message: "wrong: u is no integer: 1.0"},
		{
			args:    `{"s":"","u":18446744073709551616}`,
			message: "wrong: u is no integer: 18446744073709551616",
		},
		{args: `{"s":"","c":"d"}`, message: `wrong: c is not 'a', 'b' or 'c': "d"`},
		{args: `{"s":"","c":1}`, message: "wrong: c is not 'a', 'b' or 'c': 1"},
		{args: `{"s":"","l":{}}`, message: "wrong: l is no array but object"},
		{args: `{"s":"","l":["",0]}`, message: "wrong: l[1] is no string but number"},
		{args: `{"s":"","o":[]}`, message: "wrong: o is no object but array"},
		{args: `{"s":"","o":{"m":1}}`, message: "wrong: o.m is no boolean but number"},

		{args: `{"s":"absent"}`, want: absent},
		{args: `{"s":"absent","i":null,"o":null}`, want: absent},
		{
			args: `{"s":"\u0061","b":false,"i":-70e-1,"u":7,"c":"c","l":["x",""],"o":{"m":false}}`,
			want: values{"a", false, -7, 7, "c", []string{"x", ""}, false},
		},
		{
			args: `{"s":"","b":true,"u":18446744073709551615,"l":[],"o":{}}`,
			want: values{"", true, 5, math.MaxInt, "a", []string{}, true},
		},
	} {
		a := DecodeArguments([]byte(tt.args), testMessages())
		a.Only("s", "b", "i", "u", "c", "l", "o")
		got := values{
			String:   a.Required("s").String(""),
			Bool:     a.Optional("b").Bool(true),
			Int:      a.Nullable("i").Int(5, -7, 7),
			Unsigned: a.Optional("u").Unsigned(6),
			Choice:   a.Optional("c").Choice("a", "b", "c"),
			Strings:  a.Optional("l").Strings(),
			Member:   a.Nullable("o").Object().Optional("m").Bool(true),
		}
		err := a.Err()
		if tt.message != "" {
			e, ok := errors.AsType[*tool.Error](err)
			if !ok || e.Kind != tool.BadArguments || e.Message != tt.message {
				t.Errorf("%s\ngot  %v\nwant %s", tt.args, err, tt.message)
			}
		} else if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s\ngot  %+v, %v\nwant %+v", tt.args, got, err, tt.want)
		}
	}
}

// TestLenientArguments reads values that spell another type, and names for the same thing.
func TestLenientArguments(t *testing.T) {
	messages := testMessages()
	messages.Twice, messages.Lenient = "{key} or {other}?", true
	for _, tt := range []struct{ args, want string }{
		{`{}`, "|0|false <nil>"},
		{`{"s":null,"i":null,"b":null}`, "|0|false <nil>"},
		{`{"s":7,"i":"-7","b":"true"}`, "7|-7|true <nil>"},
		{`{"s":true,"i":"7.0","b":true}`, "true|7|true <nil>"},
		{`{"S":"x","s":null}`, "x|0|false <nil>"},
		{`{"S":"x","s":"x"}`, "x|0|false <nil>"},
		{`{"S":"x","s":"y"}`, "|0|false wrong: s or S?"},
		{`{"s":[]}`, "|0|false wrong: s is no string but array"},
		{`{"i":"x"}`, `|0|false wrong: i is no integer: "x"`},
		{`{"i":"9"}`, `|0|false wrong: i is not from -8 to 8: "9"`},
		{`{"i":-9}`, "|0|false wrong: i is not from -8 to 8: -9"},
		{`{"b":"yes"}`, "|0|false wrong: b is no boolean but string"},
	} {
		a := DecodeArguments([]byte(tt.args), messages)
		s, i := a.OneOf("s", "S").String(""), a.Optional("i").Int(0, -8, 8)
		b := a.Optional("b").Bool(false)
		if a.Err() != nil {
			s = ""
		}
		if got := fmt.Sprintf("%s|%d|%v %v", s, i, b, a.Err()); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.args, got, tt.want)
		}
	}
}
