package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
)

// A key is one key of the configuration.
type key struct {
	name string
	want string               // describes the values it takes
	set  func(value any) bool // sets the field, or reports false for a value that the key does not take
	// field points to the field that the key sets.
	field any
	list  bool // the key takes an array
}

const unbounded = math.MaxInt

func boolean(name string, field *bool) key {
	return key{name: name, want: "true or false", field: field, set: func(value any) (ok bool) {
		*field, ok = value.(bool)
		return ok
	}}
}

// negated is a key whose field has the opposite meaning.
func negated(name string, field *bool) key {
	return key{name: name, want: "true or false", field: field, set: func(value any) bool {
		yes, ok := value.(bool)
		*field = !yes
		return ok
	}}
}

func integer(name string, least, most int, field *int) key {
	return key{name: name, want: between(least, most), field: field, set: func(value any) (ok bool) {
		*field, ok = inRange(value, least, most)
		return ok
	}}
}

// optional is an integer whose field distinguishes 0 from unset.
func optional(name string, least, most int, field **int) key {
	return key{name: name, want: between(least, most), field: field, set: func(value any) bool {
		n, ok := inRange(value, least, most)
		*field = &n
		return ok
	}}
}

// limit is an integer where 0 means what zero says; its field says that with -1.
func limit(name, zero string, field *int) key {
	return key{name: name, want: "an integer from 1, or 0 for " + zero, field: field, set: func(value any) (ok bool) {
		*field, ok = inRange(value, 0, unbounded)
		if *field == 0 {
			*field = -1
		}
		return ok
	}}
}

// duration is a time span where 0 means no limit; its field says that with -1.
func duration(name string, field *time.Duration) key {
	return key{name: name, want: `a time span such as "10s" or "1m30s", or 0 for no limit`, field: field, set: func(value any) bool {
		span, err := time.Duration(0), error(nil)
		if text, ok := value.(string); ok {
			span, err = time.ParseDuration(text)
		} else if value != int64(0) {
			return false
		}
		*field = span
		if span == 0 {
			*field = -1
		}
		return err == nil && span >= 0
	}}
}

func words(name string, field *[]string) key {
	return key{name: name, want: "an array of strings", field: field, list: true, set: func(value any) bool {
		items, ok := value.([]any)
		var words []string
		for _, item := range items {
			word, isString := item.(string)
			words = append(words, word)
			ok = ok && isString
		}
		*field = words
		return ok
	}}
}

func between(least, most int) string {
	if most == unbounded {
		return fmt.Sprintf("an integer from %d", least)
	}
	return fmt.Sprintf("an integer from %d to %d", least, most)
}

func inRange(value any, least, most int) (n int, ok bool) {
	wide, ok := value.(int64)
	return int(wide), ok && int64(least) <= wide && wide <= int64(most)
}

// take sets the key to a value as TOML decodes it.
func (k key) take(value any) error {
	if !k.set(value) {
		return fmt.Errorf("%s must be %s, not %s", k.name, k.want, describe(value))
	}
	return nil
}

// takeText sets the key to a value that is written as in TOML, but may lack the quotes of a string, as in 5s, and the
// brackets of a list, as in a,b. It returns the value.
func (k key) takeText(raw string) (any, error) {
	if !utf8.ValidString(raw) {
		return nil, fmt.Errorf("%s must be %s, not text that is not UTF-8", k.name, k.want)
	}
	var bare any = raw
	if k.list && !strings.HasPrefix(strings.TrimSpace(raw), "[") {
		var items []any
		for item := range strings.SplitSeq(raw, ",") {
			items = append(items, strings.TrimSpace(item))
		}
		bare, raw = items, "["+raw+"]"
	}
	candidates := []any{bare}
	var document map[string]any
	if toml.Unmarshal([]byte("value = "+raw), &document) == nil && len(document) == 1 {
		candidates = []any{document["value"], bare}
	}
	var first error
	for _, value := range candidates {
		err := k.take(value)
		if err == nil {
			return value, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// written writes the value of a key.
func written(value any) Literal {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return ""
	}
	return Literal(strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`)) // TOML forbids a bare U+007F
}

// describe names a value in the words of TOML. It shows strings, numbers and booleans.
func describe(value any) string {
	switch v := value.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return fmt.Sprintf("the float %v", v)
	case string:
		return fmt.Sprintf("the string %q", v)
	case []any:
		return "this array"
	case map[string]any:
		return "a table"
	default:
		return "a date or time"
	}
}
