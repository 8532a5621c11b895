package install

import (
	"fmt"
	"strings"
	"testing"
)

// TestBounds checks that texts are refused that would crash the parsers or keep them busy.
func TestBounds(t *testing.T) {
	var keys, tables strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&keys, "k%d=1\n", i)
		fmt.Fprintf(&tables, "[t%d]\n", i)
	}
	for name, tt := range map[string]struct{ client, text, want string }{
		"arrays in each other":   {"zed", `{"a": ` + strings.Repeat("[", 4_000_000), "nested more than"},
		"objects in each other":  {"zed", strings.Repeat(`{"a":`, 4_000_000), "nested more than"},
		"brackets in words":      {"zed", `{"a": "` + strings.Repeat("[", 100_000) + `\"[", /*` + strings.Repeat("[", 100_000) + "*/ //" + strings.Repeat("[", 100_000) + "\n}", ""},
		"many values":            {"zed", `{"a": [` + strings.Repeat("1,", 8_000_000) + "]}", "more than 2000000 values"},
		"many keys":              {"codex", keys.String(), "more than 10000 keys"},
		"many tables":            {"codex", tables.String(), "more than 10000 keys"},
		"long keys":              {"codex", strings.Repeat(strings.Repeat("k", 1000)+" = 1\n", 9000), "larger than"},
		"TOML arrays":            {"codex", "a = " + strings.Repeat("[", 1_000_000), "nested more than"},
		"a text that is no JSON": {"zed", `{"a": 1 /`, "parsed"},
	} {
		c, err := Lookup(tt.client)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.edit([]byte(tt.text), "gander", server())
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %.200v", name, err)
		}
	}
}
