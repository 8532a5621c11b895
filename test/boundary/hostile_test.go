package boundary

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// TestBoundaryManyIgnoreFiles checks that a call with many costly ignore files ends at its timeout,
// as does its work.
func TestBoundaryManyIgnoreFiles(t *testing.T) {
	root := fixture.Make(t, ".git/", "canary")
	rule := "/**/*" + strings.Repeat("a", 100) + "?b/*c\n"
	rules := []byte(strings.Repeat(rule, 1<<20/len(rule)))
	name, at := strings.Repeat("a", 200), ""
	for range 16 {
		testkit.Must(t, os.MkdirAll(filepath.Join(root, at), 0o755))
		testkit.Must(t, os.WriteFile(filepath.Join(root, at, ".gitignore"), rules, 0o644))
		at += "/" + name
	}
	testkit.Must(t, os.WriteFile(root+at, nil, 0o644))
	before := runtime.NumGoroutine()
	limits := gander.Limits{Timeout: 300 * time.Millisecond}
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Limits: limits})
	for _, dir := range []string{root, filepath.Dir(root + at)} {
		o := use(t, toolset, "gemini/list_directory", dir)
		if o.refused && o.kind != tool.Timeout {
			t.Errorf("%.20s: %s", dir, o.text)
		}
	}
	for wait := time.Now(); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Since(wait) > 20*time.Second {
			t.Fatal("a call goes on after its timeout")
		}
	}
}

// TestBoundaryJSON covers CVE-2026-27896 and JSON that parsers read differently. Every tool rejects
// it with a short message.
func TestBoundaryJSON(t *testing.T) {
	root := fixture.Make(t, "f", "d/f")
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}})
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	huge := strings.Repeat("k", 1<<20)
	for id, p := range testkit.PathTools() {
		values := strings.NewReplacer( // in JSON
			"ROOT", strings.Trim(string(encoded(t, root)), `"`), "KEY", p.Key,
			"Key", strings.ToUpper(p.Key[:1])+p.Key[1:],
			"SHOUTED", strings.ToUpper(p.Key), "SIMILAR", strings.ReplaceAll(p.Key, "p", "\u03c1"),
			"ESCAPED", strings.ReplaceAll(p.Key, "path", `\u0070ath`), "DEEP", deep, "HUGE", huge,
		)
		for _, args := range []string{
			`{"Key":"ROOT"}`, `{"SHOUTED":"ROOT"}`, `{"SIMILAR":"ROOT"}`, // other keys
			`{"KEY":"ROOT","KEY":"ROOT"}`, `{"KEY":"ROOT","ESCAPED":"x"}`, // a key twice
			`{"KEY":"ROOT","x":{"a":1,"a":2}}`, `{"KEY":"ROOT","HUGE":1,"HUGE":2}`,
			`{"KEY":"ROOT","x":DEEP}`, strings.Repeat(`{"KEY":`, 100_000),
			`{"KEY":"ROOT\ud800"}`, `{"KEY":"\udc00"}`, `{"KEY":"\udc00\ud800"}`, // surrogates
			"{\"KEY\":\"ROOT/\xff\"}", "{\"KEY\":\"ROOT/..\xc0\xaf\"}", // not UTF-8
			"\ufeff{\"KEY\":\"ROOT\"}", `{"KEY":"ROOT"}{}`, `{"KEY":"ROOT"/**/}`, `{"KEY":"ROOT",}`,
			"{\"KEY\":\"ROOT\"}\x00", "{\"KEY\":\"ROOT\n\"}", `{"KEY":"ROOT"`, `[]`, `NaN`, "  ",
			`{"KEY":1e999}`, `{"KEY":["ROOT"]}`, `{"KEY":null}`, `{"KEY":"ROOT/d\u0000"}`,
		} {
			accepted := regexp.MustCompile(`1e999|null|\["ROOT"\]`)
			if isNative(id) && accepted.MatchString(args) {
				continue // a number is text to the native tools, null an omitted argument, a list lines
			}
			_, err := toolset.Call(t.Context(), id, json.RawMessage(values.Replace(args)))
			failure, _ := errors.AsType[*tool.Error](err)
			lexical := isLexical(id) && strings.Contains(args, `\u0000`) // which is outside
			if failure == nil || failure.Kind != tool.BadArguments && !lexical ||
				len(failure.Message) > 1024 {
				t.Errorf("%s of %.60s: %.200v", id, args, err)
			}
		}
	}
}

func encoded(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	testkit.Must(t, err)
	return data
}
