package arguments

import (
	"fmt"
	"testing"
)

// TestArguments reads values that spell another type, names for the same thing and values that
// contain placeholders. The tests of the tools read all types.
func TestArguments(t *testing.T) {
	messages := Messages{
		Prefix: "wrong: ", String: "{key} is no string but {type}", Boolean: "{key} is no boolean",
		Integer: "{key} is no integer: {value}", Range: "{key} is not from {min} to {max}: {value}",
		Unknown: "{key} is none of {keys}", Quote: "'", Twice: "{key} or {other}?", Lenient: true,
	}
	for _, tt := range []struct{ args, want string }{
		{`{}`, "|0|false <nil>"},
		{`{"s":null,"i":null,"b":null}`, "|0|false <nil>"},
		{`{"s":7,"i":"-7","b":"true"}`, "7|-7|true <nil>"},
		{`{"s":true,"i":"70e-1","b":true}`, "true|7|true <nil>"},
		{`{"S":"x","s":null}`, "x|0|false <nil>"},
		{`{"S":"x","s":"x"}`, "x|0|false <nil>"},
		{`{"S":"\u0078","s":"x"}`, "x|0|false <nil>"},
		{`{"S":"x","s":"y"}`, "|0|false wrong: s or S?"},
		{`{"s":[]}`, "|0|false wrong: s is no string but array"},
		{`{"i":"{key}{type}"}`, `|0|false wrong: i is no integer: "{key}{type}"`},
		{`{"i":"9"}`, `|0|false wrong: i is not from -8 to 8: 9`},
		{`{"i":-1e400}`, "|0|false wrong: i is not from -8 to 8: -1e400"},
		{`{"b":"yes"}`, "|0|false wrong: b is no boolean"},
		{`{"x{key}":1}`, "|0|false wrong: x{key} is none of 's', 'S', 'i', 'b'"},
	} {
		a := Decode([]byte(tt.args), messages)
		s, i := a.OneOf("s", "S").String(""), a.Optional("i").Int(0, -8, 8)
		b := a.Optional("b").Bool(false)
		a.Only("s", "S", "i", "b")
		if a.Err() != nil {
			s = ""
		}
		if got := fmt.Sprintf("%s|%d|%v %v", s, i, b, a.Err()); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.args, got, tt.want)
		}
	}
}
