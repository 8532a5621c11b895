package fuzz

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// An argumentChecker calls the built-in tools.
type argumentChecker struct {
	toolset *gander.Toolset
	root    string
}

func newArgumentChecker(t testing.TB) argumentChecker {
	root := fixture.Make(t, "f", "d/f")
	return argumentChecker{testkit.Open(t, gander.Options{
		Roots: []string{root}, Tools: []string{
			"gander", "codex", "gemini", "forge", "toolkit",
			"filesystem",
		},
	}), root}
}

// check calls a tool. The error must not be internal. Its size must be bounded, and its message
// must not contain control characters of the arguments.
func (c argumentChecker) check(t *testing.T, id, args string) {
	limit := 16 << 10 // of every message
	switch id {
	case "codex/list_dir", "codex/read_file", "forge/list_directory", "toolkit/tree":
		limit = 600
	}
	_, err := c.toolset.Call(t.Context(), id, json.RawMessage(args))
	failure, ok := errors.AsType[*tool.Error](err)
	if err == nil {
		return
	}
	if !ok || failure.Kind == tool.Internal || failure.Message == "" ||
		len(failure.Message) > limit || strings.ContainsRune(failure.Message, '\u202e') &&
		failure.Kind == tool.BadArguments {
		t.Errorf("%s of %.60s: %d bytes: %.200v", id, args, len(err.Error()), err)
	}
}

// TestHostileArguments calls every tool with large, deep and malformed values of each argument.
func TestHostileArguments(t *testing.T) {
	testkit.SkipLong(t)
	quoted := func(part string, bytes int) string {
		return `"` + strings.Repeat(part, bytes/len(part)) + `"`
	}
	values := []string{
		"null", "-1", "1.5", "1e400", "-1e400", "18446744073709551615", quoted("9", 100_000),
		strings.Repeat("9", 100_000), `"/a\u0000b"`, quoted(`\n\u202e`, 40_000), quoted("a", 1<<20),
		quoted("/a", 1<<20), quoted("../", 1<<20), quoted("漢", 1<<20), quoted("*", 1<<20),
		quoted("**/", 1<<20), quoted("{a,b}", 150), quoted("[", 1<<20), quoted("!(a)", 1<<10),
		strings.Repeat(`"**/a*b?[c]",`, 10_000) + `"d"`, strings.Repeat("[", 50_000),
		strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000), strings.Repeat(`{"a":`, 50_000),
	}
	type schema struct {
		Type       string
		Properties map[string]struct {
			Type       string
			Properties map[string]any
		}
	}
	c := newArgumentChecker(t)
	for _, spec := range c.toolset.Tools() {
		var s schema
		testkit.Must(t, json.Unmarshal(spec.Input, &s))
		for key, property := range s.Properties {
			forms := []any{"%s"}
			switch property.Type {
			case "array":
				forms = append(forms, []string{"f", "%s"})
			case "object":
				for member := range property.Properties {
					forms = append(forms, map[string]string{member: "%s"})
				}
			}
			for _, form := range forms {
				known := testkit.PathTools()[spec.ID]
				args := known.Arguments(c.root)
				if known.Reads {
					args[known.Key] = c.root + "/f"
				}
				args[key] = form
				raw, err := json.Marshal(args)
				testkit.Must(t, err)
				for _, value := range values {
					c.check(t, spec.ID, strings.Replace(string(raw), `"%s"`, value, 1))
				}
			}
		}
	}
}

// FuzzArguments calls every tool with any arguments.
func FuzzArguments(f *testing.F) {
	for _, args := range []string{
		``, `{}`, `[]`, `{"path":"."}`, `{"path":" ./a//","ignore":["*"],"file_filtering_options":{}}`,
		`{"path":"a\\..","max_depth":1e400,"exclude":["{a,[","!"]}`,
		`{"file_path":"/","mode":"indentation","indentation":{"max_levels":0}}`,
		`{"pattern":"a","paths":["f","d"],"glob":[".go","a b,c"],"multiline":[true],"ignore":{"a":0}}`,
		`{"query":"f(","literal":true,"type":"go\nx","case_sensitive":"true",` +
			`"file_filtering_options":{}}`,
	} {
		f.Add(args)
	}
	c := newArgumentChecker(f)
	f.Fuzz(func(t *testing.T, args string) {
		for _, spec := range c.toolset.Tools() {
			c.check(t, spec.ID, args)
		}
	})
}
