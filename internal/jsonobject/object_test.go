package jsonobject

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
)

func TestParse(t *testing.T) {
	o, err := Parse([]byte(" {\"z\": 1, \"a\\u0062\" : [true , {\"a\":null}],\r\n\t" +
		`"": "\ud83d\ude00", "Z":{}} ` + "\n"))
	fixture.Must(t, err)
	if got, want := o.Keys(), []string{"z", "ab", "", "Z"}; !slices.Equal(got, want) {
		t.Errorf("keys are %q, want %q", got, want)
	}
	for key, want := range map[string]string{
		"z": "1", "ab": `[true , {"a":null}]`, "": `"\ud83d\ude00"`, "Z": "{}",
		"AB": "", "zz": "", `a\u0062`: "",
	} {
		if v, ok := o.Get(key); ok != (want != "") || string(v.Raw()) != want {
			t.Errorf("Get(%q) is %s, %v; want %s", key, v.Raw(), ok, want)
		}
	}
}

// TestParseErrors checks the messages in testdata: a quoted input, and a part of the message.
func TestParseErrors(t *testing.T) {
	data, err := os.ReadFile("testdata/errors.txt")
	fixture.Must(t, err)
	for line := range strings.Lines(string(data)) {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			t.Fatal(line, err)
		}
		input, _ := strconv.Unquote(quoted)
		message := strings.TrimSpace(line[len(quoted):])
		if _, err := Parse([]byte(input)); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: the message is %v, want %q in it", quoted, err, message)
		}
	}
}

// TestParseLimits checks the limits of depth and number.
func TestParseLimits(t *testing.T) {
	const values, levels = 10_000, 128 // as documented
	var keys strings.Builder
	for i := range values {
		fmt.Fprintf(&keys, `"%d":1,`, i)
	}
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, tt := range []struct {
		json string
		ok   bool
	}{
		{`{"a":` + nested(levels-1) + `}`, true},
		{`{"a":` + nested(levels) + `}`, false},
		{`{"a":[` + strings.Repeat("[],{},[0],", 1000) + `0]}`, true}, // not nested
		{`{"a":[` + strings.Repeat("1,", values-10) + `1]}`, true},
		{`{"a":[` + strings.Repeat("1,", values) + `1]}`, false},
		{`{"a":[` + strings.Repeat("[],", values/2) + `1]}`, false},
		{`{"a":{"b":"` + strings.Repeat("x", 2*values) + `"}}`, true},
		{`{` + keys.String() + `"a":1}`, false},
	} {
		if _, err := Parse([]byte(tt.json)); (err == nil) != tt.ok {
			t.Errorf("%.30s: %v", tt.json, err)
		}
	}
}

func TestInteger(t *testing.T) {
	nines := strings.Repeat("9", 1<<20)
	for text, want := range map[string]int64{
		"0": 0, "-0": 0, "0.0": 0, "-0.0e5": 0, "7": 7, "-70": -70, "2.0": 2, "2e0": 2, "-2E+2": -200,
		"2.50e1": 25, "2500e-2": 25, "0.002e3": 2, "1e18": 1e18, "9223372036854775807": math.MaxInt64,
		"9007199254740993": 9007199254740993, "-9223372036854775808.0": math.MinInt64, "0e" + nines: 0,
		"9007199254740993.0": 9007199254740993, "9223372036854775807.0": math.MaxInt64,
		"0e-" + nines: 0, "100E-0000000000000000000000002": 1, "922337203685477580700e-2": math.MaxInt64,
	} {
		if n, err := value(t, text).Integer(); n != want || err != nil {
			t.Errorf("%.30s: got %d, %v; want %d", text, n, err, want)
		}
	}
	for text, want := range map[string]error{
		"25e-2": ErrNotInteger, "1.5": ErrNotInteger, "25e-1": ErrNotInteger,
		"1e-400": ErrNotInteger, "1.00000000000000000001": ErrNotInteger, "1e-" + nines: ErrNotInteger,
		"-9223372036854775809.0": ErrRange, "9223372036854775808.0": ErrRange, "100e" + nines: ErrRange,
		`"7"`: ErrNotInteger, "true": ErrNotInteger, "null": ErrNotInteger, "[7]": ErrNotInteger,
		"9223372036854775808": ErrRange, "-9223372036854775809": ErrRange, "1e19": ErrRange,
		"1e999999999": ErrRange, nines: ErrRange, "1e" + nines: ErrRange,
	} {
		if n, err := value(t, text).Integer(); err != want {
			t.Errorf("%.30s: got %d, %v; want %v", text, n, err, want)
		}
	}
	if n, err := value(t, "-1e999999999").Integer(); n != math.MinInt64 || err != ErrRange {
		t.Errorf("%d, %v", n, err)
	}
}

func TestHostileInput(t *testing.T) {
	const size = 1 << 20
	key := strings.Repeat("k", size)
	for name, input := range map[string]string{
		"brackets":      strings.Repeat("[", size),
		"in a key":      `{"a":` + strings.Repeat("[", size),
		"objects":       strings.Repeat(`{"a":`, size/5),
		"a key twice":   `{"` + key + `":1,"` + key + `":2}`,
		"a long string": `{"a":"` + strings.Repeat(`\u0041`, size/6),
		"a long number": `{"a":` + strings.Repeat("1", size),
	} {
		_, err := Parse([]byte(input))
		if err == nil || len(err.Error()) > 300 {
			t.Errorf("%s: %.400v", name, err)
		}
	}
}

func value(t *testing.T, text string) Value {
	t.Helper()
	o, err := Parse([]byte(`{"v":` + text + `}`))
	fixture.Must(t, err)
	v, _ := o.Get("v")
	return v
}

// TestTypes checks which methods read which types.
func TestTypes(t *testing.T) {
	values := map[string]Value{"": {}}
	for _, text := range []string{"null", "true", "false", "7", `"7"`, "[]", "{}"} {
		values[text] = value(t, text)
	}
	for text, v := range values {
		_, isText := v.Text()
		b, isBool := v.Bool()
		_, isArray := v.Array()
		_, isObject := v.Object()
		_, err := v.Integer()
		for typ, got := range map[Type]bool{
			TypeString: isText, TypeBoolean: isBool, TypeArray: isArray, TypeObject: isObject,
			TypeNumber: err == nil,
		} {
			if got != (typ == v.Type()) {
				t.Errorf("%s, a %s, read as %s: %v", text, v.Type(), typ, got)
			}
		}
		if b != (text == "true") {
			t.Errorf("%s read as boolean is %v", text, b)
		}
	}
}

func TestLiteral(t *testing.T) {
	for text, want := range map[string]string{
		`"7"`: "7", `"-7.5e1"`: "-7.5e1", `"true"`: "true", `"false"`: "false", `"\u0037"`: "7",
		"7": "7", "null": "null", `""`: `""`, `"7 "`: `"7 "`, `" 7"`: `" 7"`, `"07"`: `"07"`,
		`"7,8"`: `"7,8"`, `"null"`: `"null"`, `"+7"`: `"+7"`, `["7"]`: `["7"]`,
	} {
		if got := string(value(t, text).Literal().Raw()); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	if (Value{}).Literal().Type() != "" {
		t.Error("the zero value has a literal")
	}
}
