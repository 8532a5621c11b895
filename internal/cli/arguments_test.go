package cli

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gander/internal/native/wording"
	"gander/internal/testkit"
)

// TestArgumentsOfEveryTool gives each argument of each tool a random value of its type as a flag.
func TestArgumentsOfEveryTool(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long")
	}
	r := rand.New(rand.NewPCG(1, 46))
	texts := []string{"", "a b", "-x", "[1]", `"q"`, "null", "é\n", "true", "7"}
	for _, id := range toolIDs() {
		for range 20 {
			cmd := newCallCmd(nil)
			flags, err := newArgumentFlags(cmd, id, "")
			testkit.Must(t, err)
			spec, err := specOf(id)
			testkit.Must(t, err)
			var all schema
			testkit.Must(t, json.Unmarshal(spec.Input, &all))
			want := make(map[string]any)
			var words []string
			for argument, s := range all.Properties {
				flag := "--" + wording.FlagName(argument)
				text := texts[r.IntN(len(texts))]
				switch s.Type {
				case "string":
					want[argument], words = text, append(words, flag, text)
				case "boolean":
					want[argument], words = true, append(words, flag)
				case "integer", "number":
					want[argument], words = -3.0, append(words, flag, "-3")
				case "array":
					want[argument] = []any{text, "x"}
					words = append(words, flag, text, flag+"=x")
				default:
					want[argument] = map[string]any{"a": "b"}
					words = append(words, flag, `{"a":"b"}`)
				}
			}
			if err := cmd.ParseFlags(words); err != nil {
				t.Fatalf("%s %q: %v", id, words, err)
			}
			got := make(map[string]any)
			testkit.Must(t, json.Unmarshal(flags.encode(), &got))
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s %q: %v, want %v", id, words, got, want)
			}
		}
	}
}

// TestWrongValues checks what is said about values of another type.
func TestWrongValues(t *testing.T) {
	for kind, word := range map[string]string{
		"boolean": "maybe", "integer": `"7"`, "number": "x", "object": "{",
	} {
		_, err := valueOf(kind, word)
		if err == nil || !strings.HasPrefix(err.Error(), "must be ") {
			t.Errorf("%s %s: %v", kind, word, err)
		}
	}
	raw, err := valueOf("string", "a\xff")
	if err != nil || !json.Valid(raw) {
		t.Errorf("a text that is not UTF-8: %s, %v", raw, err)
	}
}
