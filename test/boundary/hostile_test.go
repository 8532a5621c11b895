package boundary

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// write writes a file below root, and makes its parent directories.
func write(t *testing.T, root, name, content string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestBoundaryIgnoreFiles covers costly ignore files. They have the effect that git documents,
// within the limits.
func TestBoundaryIgnoreFiles(t *testing.T) {
	var many, wild strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&many, "n%07d\n", i)
		fmt.Fprintf(&wild, "?%06d*\n", i)
	}
	wide := func(s string) string { // as UTF-16 with a byte order mark, which git reads as bytes
		b := []byte{0xff, 0xfe}
		for _, unit := range utf16.Encode([]rune(s)) {
			b = append(b, byte(unit), byte(unit>>8))
		}
		return string(b)
	}
	for _, tt := range []struct {
		name, rules string
		hidden      string // names that the rules hide
	}{
		{"50 MB", strings.Repeat("canary\n", 50<<20/7), ""},
		{
			"100,000 patterns", many.String()[:len(many.String())-len("n0099999\n")] + "n0000000\n",
			"n0000000 n0000001 n0099998",
		},
		{"100,000 globs", wild.String(), "n000000 x000001 n099999x"},
		{"UTF-16", wide("canary\n"), ""},
		{"one endless line", strings.Repeat("canary", 100_000), ""},
		{
			"braces and stars",
			strings.Repeat(
				"{a,{b,", 1000,
			) + "\n" + strings.Repeat("**/", 1000) + "x\n" + strings.Repeat("*a", 2000) + "b\n[\n[!\n\\\n",
			"",
		},
		{"line ends and marks", "\ufeff# x\r\ny\r\n\x00canary\n", "y"},
	} {
		for _, file := range []string{".gitignore", ".geminiignore", ".git/info/exclude"} {
			root := fixture.Make(
				t, ".git/", "canary", strings.Repeat("a", 255), "n0000000", "n0000001", "n0099998", "n000000",
				"x000001", "n099999x", "y",
			)
			write(t, root, file, tt.rules)
			toolset := testkit.Open(t, gander.Options{Roots: []string{root}})
			result, failure := testkit.Call(t, toolset, "gemini/list_directory", object{"path": root})
			if failure != nil {
				t.Errorf("%s as %s: %s", tt.name, file, describe(result, failure))
				continue
			}
			for _, name := range []string{
				"canary", strings.Repeat("a", 255), "n0000000", "n0000001", "n0099998", "n000000", "x000001",
				"n099999x", "y",
			} {
				want := !strings.Contains(" "+tt.hidden+" ", " "+name+" ")
				if strings.HasPrefix(name, "n0") && len(name) == 8 &&
					strings.HasPrefix(tt.name, "100,000 globs") {
					want = false // ?000000* is among the globs
				}
				if got := strings.Contains(result.Text()+"\n", "\n"+name+"\n"); got != want {
					t.Errorf("%s as %s: %.20s is shown: %v", tt.name, file, name, got)
				}
			}
		}
	}
}

// TestBoundaryManyIgnoreFiles checks that a call with many costly ignore files ends at its timeout,
// as does its work.
func TestBoundaryManyIgnoreFiles(t *testing.T) {
	root := fixture.Make(t, ".git/", "canary")
	var rules strings.Builder
	for rule := "/**/*" + strings.Repeat("a", 100) + "?b/*c\n"; rules.Len() < 1<<20-len(rule); {
		rules.WriteString(rule)
	}
	name, at := strings.Repeat("a", 200), ""
	for range 15 {
		at += "/" + name
		write(t, root, at+"/.gitignore", rules.String())
	}
	write(t, root, ".gitignore", rules.String())
	write(t, root, at+"/"+name, "")
	before := runtime.NumGoroutine()
	toolset := testkit.Open(
		t, gander.Options{Roots: []string{root}, Limits: gander.Limits{Timeout: 300 * time.Millisecond}},
	)
	for _, dir := range []string{"", at} {
		if result, failure := testkit.Call(
			t, toolset, "gemini/list_directory", object{"path": root + dir},
		); failure != nil && failure.Kind != tool.Timeout {
			t.Errorf("%.20s: %s", dir, describe(result, failure))
		}
	}
	for wait := time.Now(); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Since(wait) > 20*time.Second {
			t.Fatal("a call goes on after its timeout")
		}
	}
}

// TestBoundaryGlobs checks that explosive globs get a result or an error about the arguments in
// time.
func TestBoundaryGlobs(t *testing.T) {
	long := strings.Repeat("a", 250)
	root := fixture.Make(t, long+"/"+long+"/"+long+"/"+long+"/f", "aaa", "b")
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}})
	nested := strings.Repeat("{a,", 30) + "b" + strings.Repeat("}", 30)
	for _, glob := range []string{
		nested, nested + nested, strings.Repeat("{a,b}", 30), strings.Repeat("{a,{b,{c,", 300),
		strings.Repeat("**/", 1000) + "x", strings.Repeat("**/a*", 500),
		strings.Repeat("*a", 2000) + "b", strings.Repeat("**a", 1000), strings.Repeat("?*", 2000), "[!",
		"[", "[a-", "{", "}", "\\", "[]", strings.Repeat("[a-z]*", 600) + "!",
		strings.Repeat("*", 1<<20), strings.Repeat("a", 1<<20), strings.Repeat("!", 4000) + "a",
		strings.Repeat("{a,**/*", 40) + strings.Repeat("}", 40), "\x00",
	} {
		for id, key := range map[string]string{
			"toolkit/tree": "exclude", "gemini/list_directory": "ignore",
		} {
			for _, times := range []int{1, 100} {
				if times*len(glob) > 8<<20 {
					continue
				}
				globs := make([]string, times)
				for i := range globs {
					globs[i] = glob
				}
				result, failure := testkit.Call(
					t, toolset, id, object{"path": root, key: globs, "max_depth": 12, "entry_kind": "all"},
				)
				if failure != nil && failure.Kind != tool.BadArguments {
					t.Errorf("%s without %d times %.30q: %.200s", id, times, glob, describe(result, failure))
				}
				if failure != nil && len(failure.Message) > 1024 {
					t.Errorf("%s without %.30q: an error of %d bytes", id, glob, len(failure.Message))
				}
			}
		}
	}
}

// TestBoundaryJSON covers CVE-2026-27896 and JSON that parsers read differently. Every tool rejects
// it with a short message.
func TestBoundaryJSON(t *testing.T) {
	root := fixture.Make(t, "f", "d/f")
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}})
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	for id, key := range testkit.PathArguments() {
		good := fmt.Sprintf("%q:%q", key, root)
		first := strings.ToUpper(key[:1]) + key[1:]
		for name, args := range map[string]string{
			"another case": fmt.Sprintf(`{%q:%q}`, first, root),
			"capitals":     fmt.Sprintf(`{%q:%q}`, strings.ToUpper(key), root),
			"a long s for an s": fmt.Sprintf(
				`{%q:%q}`, strings.ReplaceAll(strings.ReplaceAll(key, "p", "\u03c1"), "s", "\u017f"), root,
			),
			"a key twice":              fmt.Sprintf(`{%s,%s}`, good, good),
			"a key twice, escaped":     fmt.Sprintf(`{%s,"\u%04x%s":"x"}`, good, key[0], key[1:]),
			"an inner key twice":       fmt.Sprintf(`{%s,"x":{"a":1,"a":2}}`, good),
			"deep arrays":              fmt.Sprintf(`{%s,"x":%s}`, good, deep),
			"deep objects":             strings.Repeat(`{"path":`, 100_000),
			"a lone high surrogate":    fmt.Sprintf(`{%q:"%s\ud800"}`, key, root),
			"a lone low surrogate":     fmt.Sprintf(`{%q:"\udc00"}`, key),
			"surrogates the wrong way": fmt.Sprintf(`{%q:"\udc00\ud800"}`, key),
			"bytes that are not UTF-8": fmt.Sprintf("{%q:\"%s/\xff\"}", key, root),
			"an overlong slash":        fmt.Sprintf("{%q:\"%s/..\xc0\xaf\"}", key, root),
			"a byte order mark":        fmt.Sprintf("\ufeff{%s}", good),
			"something behind":         fmt.Sprintf("{%s}{}", good),
			"a comment":                fmt.Sprintf("{%s/**/}", good),
			"a comma too many":         fmt.Sprintf("{%s,}", good),
			"a NUL behind":             fmt.Sprintf("{%s}\x00", good),
			"a control character":      fmt.Sprintf("{%q:\"%s\n\"}", key, root),
			"a number for a path":      fmt.Sprintf("{%q:1e999}", key),
			"an array for a path":      fmt.Sprintf("{%q:[%q]}", key, root),
			"null for a path":          fmt.Sprintf("{%q:null}", key),
			"a NUL in a path":          fmt.Sprintf(`{%q:"%s/d\u0000"}`, key, root),
			"an array":                 `[]`,
			"a word":                   `NaN`,
			"half an object":           fmt.Sprintf("{%s", good),
			"white space":              "  ",
			"a huge key": fmt.Sprintf(
				"{%s,%q:1,%q:2}", good, strings.Repeat("k", 1<<20), strings.Repeat("k", 1<<20),
			),
		} {
			_, err := toolset.Call(t.Context(), id, json.RawMessage(args))
			if isNative(id) && (name == "a number for a path" || name == "null for a path") {
				continue // a number is text to the native tools, and null means an omitted argument
			}
			var failure *tool.Error
			if !errors.As(err, &failure) || failure.Kind != tool.BadArguments &&
				!(isLexical(id) && name == "a NUL in a path") || len(failure.Message) > 1024 {
				t.Errorf("%s, %s: %.200v", id, name, err)
			}
		}
	}
	numbers := map[string]string{
		"codex/list_dir": "offset", "codex/read_file": "offset", "forge/list_directory": "max_entries",
		"toolkit/tree": "max_entries",
	}
	for id, key := range numbers {
		for _, n := range []string{
			"1e999", "-1", "1e400", "0.5", "-0.5", "1e-400", "99999999999999999999999999",
			"-99999999999999999999", strings.Repeat("9", 100_000), "01", "0x1", "+1", "1.", "Infinity",
			`"1"`, "[1]",
		} {
			args := fmt.Sprintf(`{%q:%q,%q:%s}`, testkit.PathArguments()[id], root, key, n)
			_, err := toolset.Call(t.Context(), id, json.RawMessage(args))
			var failure *tool.Error
			if !errors.As(err, &failure) || failure.Kind == tool.Internal || failure.Kind == tool.Timeout ||
				len(failure.Message) > 1024 {
				t.Errorf("%s with %s %.30s: %.200v", id, key, n, err)
			}
		}
	}
}
