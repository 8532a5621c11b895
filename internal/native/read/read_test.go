package read

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gander/internal/native/call"
	"gander/internal/native/list"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
)

// TestReadFileParts checks control characters and images, which recordings omit.
func TestReadFileParts(t *testing.T) {
	root := t.TempDir()
	tooltest.Put(t, root, "forged", "a\r2\tb\u2028c\u0085d\ve\f\n\x01z\n")
	tooltest.Put(t, root, "bell", "\a\b\v\f\r\x1b\x7f\u0085\u2028.")
	tooltest.Put(t, root, "logo.png", tooltest.PNG)
	c := nativetest.Over(t, listing, call.DefaultSettings(), root)
	const escaped = `1	\x07\x08\v\f\r\x1b\x7f\u0085\u2028.`
	if got := tooltest.Output(c, `{"path":"bell"}`, -1); !strings.Contains(got, escaped) {
		t.Errorf("escaped: %s", got)
	}
	if got := tooltest.Output(c, `{"path":"forged","numbers":false}`, -1); got != "forged: 2 lines\n"+
		"a\r2\tb\u2028c\u0085d\ve\f\n\x01z" {
		t.Errorf("without numbers: %q", got)
	}
	result, _ := c.Call(`{"path":"logo.png"}`, -1)
	if len(result.Parts) != 2 || string(result.Parts[1].Data) != tooltest.PNG ||
		result.Parts[1].MIMEType != "image/png" {
		t.Errorf("the image is %+v", result.Parts)
	}
	if got := tooltest.Output(c, `{"path":"logo.png"}`, 10); !strings.Contains(got, "too small") {
		t.Errorf("an image whose description exceeds the budget: %s", got)
	}
}

// TestLeftOfRange reads ranges that do not fit. The markers count up to the end of the range, and
// lead there.
func TestLeftOfRange(t *testing.T) {
	root := t.TempDir()
	tooltest.Put(t, root, "f.go",
		"\n\nfunc f() {\n"+strings.Repeat("\tx()\n", 50)+"}\n\n\nvar x int\n")
	tooltest.Put(t, root, "large", strings.Repeat("a line\n", 1_000_000))
	c := nativetest.Over(t, listing, call.DefaultSettings(), root)
	for _, tt := range []struct{ args, want string }{
		{`"path":"f.go:9","block":true`, `\n\[(\d+) more; continue with path="f.go:(\d+)-54"\]$`},
		{`"path":"f.go","block":9`, `\n\[(\d+) more; continue with path="f.go:(\d+)-54"\]$`},
		{`"path":"f.go","offset":4,"limit":51`, `\n\[(\d+) more; continue with offset=(\d+)\]$`},
		{`"path":"f.go","offset":-54,"limit":51`, `\n\[(\d+) more; continue with offset=(\d+)\]$`},
	} {
		got := tooltest.Output(c, "{"+tt.args+"}", 250)
		marker := regexp.MustCompile(tt.want).FindStringSubmatch(got)
		if marker == nil {
			t.Errorf("%s:\n%s", tt.args, got)
			continue
		}
		left, _ := strconv.Atoi(marker[1])
		next, _ := strconv.Atoi(marker[2])
		if next+left != 55 {
			t.Errorf("%s: %d lines from %d on", tt.args, left, next)
		}
	}
	got := tooltest.Output(c, `{"path":"large","offset":-90,"limit":80}`, 400)
	if !strings.HasPrefix(got, "large: lines -90 to -") || !strings.HasSuffix(got, "]") {
		t.Errorf("%.200s", got)
	}
	last, _, _ := strings.Cut(strings.TrimPrefix(got, "large: lines -90 to -"), ",")
	n, _ := strconv.Atoi(last)
	want := fmt.Sprintf("[%d more; continue with offset=-%d]", n-11, n-1)
	if !strings.HasSuffix(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestShares checks that several paths share the budget: what short files do not need goes to the
// long ones, and all fit together.
func TestShares(t *testing.T) {
	root := t.TempDir()
	tooltest.Put(t, root, "long", strings.Repeat("a line\n", 20_000))
	tooltest.Put(t, root, "short", "short\n")
	for _, chars := range []int{300, 1000, 5000, 40_000} {
		c := nativetest.Over(t, listing, call.Settings{MaxChars: chars}, root)
		got := tooltest.Output(c, `{"path":"long\nshort\nlong:500\nnone","numbers":false}`, -1)
		sections := strings.Split(got, "\n\n")
		if len(got) > chars || len(got) < chars-200 || len(sections) != 4 {
			t.Fatalf("%d characters: %d sections of %d: %.200s", chars, len(sections),
				len(got), got)
		}
		if a, b := len(sections[0]), len(sections[2]); a-b > 20 || b-a > 20 {
			t.Errorf("%d characters: the long sections have %d and %d", chars, a, b)
		}
	}
}

// TestFailedPaths reads more paths than errors about them fit into a result.
func TestFailedPaths(t *testing.T) {
	root := t.TempDir()
	tooltest.Put(t, root, "good", "a line\n")
	missing := func(n, size int) string {
		return tooltest.Many(n, func(i int) string {
			return fmt.Sprintf("%02d", i) + strings.Repeat("x", size-2)
		})
	}
	c := nativetest.Over(t, listing, call.Settings{MaxChars: 2000}, root)
	for _, tt := range []struct{ paths, prefix, suffix string }{
		{missing(50, 210), "not_found: there is no 00xx", " more paths"},
		{"\x00\n\x00", "bad_arguments: a path must", "NUL character"},
		{strings.Repeat("good\n", 50), "good: 1 line\n1\ta line\n\ngood: 1", "a line"},
		{"good\n" + missing(20, 210), "good: 1 line\n1\ta line\n\nerror: there is no 00xx", "xxxx"},
		{
			"good\n" + missing(49, 210),
			"failed: 38 characters for each path are too few for any answer; give fewer paths", "",
		},
	} {
		args, err := json.Marshal(map[string]string{"path": tt.paths})
		if err != nil {
			t.Fatal(err)
		}
		got := tooltest.Output(c, string(args), -1)
		hasEnds := strings.HasPrefix(got, tt.prefix) && strings.HasSuffix(got, tt.suffix)
		if !hasEnds || len(got) > 2000+len("not_found: ") {
			t.Errorf("%.80s: %d characters: %.200s", tt.paths, len(got), got)
		}
	}
	tooltest.Put(t, root, "long", strings.Repeat("x", 100))
	got := tooltest.Output(c, `{"path":"`+strings.Repeat(`long\n`, 50)+`"}`, 1000)
	if got != "failed: 18 bytes for each path are too few for any answer; give fewer paths" {
		t.Errorf("the same error for each path: %s", got)
	}
}

// listing returns the tool, which lists directories as list_dir does.
func listing(e *call.Environment) *call.Tool { return Tool(e, list.Page) }
