package read

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gander/internal/documents/office"
	"gander/internal/native/call"
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

// TestRanges reads ranges that the path and the arguments give together. What does not go together
// is an error.
func TestRanges(t *testing.T) {
	root := t.TempDir()
	tooltest.Put(t, root, "n.txt", tooltest.Many(100, func(i int) string { return fmt.Sprint(i + 1) }))
	tooltest.Put(t, root, "x.xlsx", "the arguments are checked before the content")
	tooltest.Put(t, root, "long.js", strings.Repeat("x", 3000)+"\nshort\n")
	tooltest.Put(t, root, "dir/f", "")
	c := nativetest.Over(t, listing, call.Settings{Documents: office.Formats()}, root)
	for _, tt := range []struct{ args, want string }{
		{`"path":"n.txt:10-40","limit":3`, "n.txt: lines 10-12 of 100; continue with offset=13"},
		{
			`"path":"n.txt:10-40","limit":3,"offset":13`,
			"n.txt: lines 13-15 of 100; continue with offset=16",
		},
		{`"path":"n.txt:10-40","limit":3,"offset":40`, "n.txt: lines 40-40 of 100"},
		{`"path":"n.txt:10-40","offset":13`, "n.txt: lines 13-40 of 100"},
		{`"path":"n.txt:10-12","limit":3`, "n.txt: lines 10-12 of 100"},
		{`"path":"n.txt:10-12","limit":6`, "n.txt: lines 10-12 of 100"},
		{`"path":"n.txt:10-40","end_line":12`, "n.txt: lines 10-12 of 100"},
		{`"path":"n.txt:10-40","view_range":[11,12]`, "n.txt: lines 11-12 of 100"},
		{`"path":"n.txt:90-200"`, "n.txt: lines 90-100 of 100"},
		{`"path":"n.txt:10","end_line":12`, "n.txt: lines 10-12 of 100"},
		{`"path":"n.txt","end_line":12`, "n.txt: lines 1-12 of 100"},
		{`"path":"n.txt:10","limit":2`, "n.txt: lines 10-11 of 100"},
		{`"path":"long.js:1:2001","end_line":1`, "long.js: line 1, characters 2,001-3,000 of 3,000"},
		{`"path":"long.js:2:3","end_line":2`, "long.js: lines 2-2 of 2"},
		{`"path":"n.txt:10","offset":1`, "n.txt: lines 10-100 of 100"},
		{`"path":"n.txt:10","offset":1,"limit":2`, "n.txt: lines 10-11 of 100"},
		{`"path":"n.txt:10","offset":2`, "n.txt: lines 2-100 of 100"},
		{`"path":"n.txt:10","view_range":[1,12]`, "n.txt: lines 1-12 of 100"},
		{`"path":"n.txt:10-40","offset":1`, "n.txt: lines 10-40 of 100"},
		{`"path":"n.txt","offset":1`, "n.txt: 100 lines"},
		{
			`"path":"long.js:1:2001","offset":1,"limit":1`,
			"long.js: line 1, characters 2,001-3,000 of 3,000",
		},
		{
			`"path":"dir","offset":-1`,
			"bad_arguments: dir is a directory, whose entries are counted from the " +
				"start; give a positive offset",
		},
		{
			`"path":"dir","tail":1`,
			"bad_arguments: dir is a directory, whose entries are counted from the " +
				"start; give a positive offset",
		},
		{
			`"path":"dir","block":3`,
			"bad_arguments: dir is a directory, which has no blocks; leave block out",
		},
		{`"path":"n.txt:10-40","offset":50`, "bad_arguments: offset must be between 10 and 40, the " +
			"lines at the end of the path, not 50"},
		{`"path":"n.txt:10-40","offset":-3`, "bad_arguments: offset must be between 10 and 40, the " +
			"lines at the end of the path, not -3"},
		{`"path":"n.txt:10-40","end_line":50`, "bad_arguments: end_line must be between 10 and 40, the " +
			"lines at the end of the path, not 50"},
		{`"path":"n.txt:10","end_line":3`, "bad_arguments: end_line must be at least 10, the line at " +
			"the end of the path, not 3"},
		{`"path":"n.txt:-5","end_line":3`, "bad_arguments: end_line needs a first line that is " +
			"counted from the start; give offset and limit"},
		{`"path":"n.txt:10-40","block":20`, "n.txt: lines 10-40 of 100"},
		{`"path":"n.txt:10","block":true,"offset":1`, "n.txt: 100 lines, the block around line 10"},
		{
			`"path":"n.txt:10","block":true,"offset":3`,
			"bad_arguments: offset and block both select lines; " +
				"give block alone",
		},
		{
			`"path":"n.txt","block":10,"tail":3`,
			"bad_arguments: offset and block both select lines; give " +
				"block alone",
		},
		{
			`"path":"n.txt:10","block":true,"end_line":12`,
			"bad_arguments: end_line and block both select " +
				"lines; give block alone",
		},
		{`"path":"x.xlsx#sheet=Two","end_line":3`, "bad_arguments: end_line and #sheet=Two at the end " +
			"of the path both select lines; give one of them"},
	} {
		got, _, _ := strings.Cut(tooltest.Output(c, "{"+tt.args+"}", -1), "\n")
		if got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.args, got, tt.want)
		}
	}
}

// TestRangesOfSeveralPaths follows the hints of two ranges that a limit cuts.
func TestRangesOfSeveralPaths(t *testing.T) {
	root := t.TempDir()
	tooltest.Put(t, root, "n.txt", tooltest.Many(100, func(i int) string { return fmt.Sprint(i + 1) }))
	c := nativetest.Over(t, listing, call.DefaultSettings(), root)
	got := tooltest.Output(c, `{"path":["n.txt:10-14","n.txt:50-51"],"limit":3,"numbers":false}`, -1)
	want := "n.txt: lines 10-12 of 100; continue with path=\"n.txt:13-14\"\n10\n11\n12\n" +
		"[2 more; continue with path=\"n.txt:13-14\"]\n\nn.txt: lines 50-51 of 100\n50\n51"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
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
