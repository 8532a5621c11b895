package resource

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct{ uri, unix, windows string }{ // "" means that the URI is refused
		{"file:///", "/", ""},
		{"file:///a", "/a", ""},
		{"file:///a/b.md", "/a/b.md", ""},
		{"file:///a/b/", "/a/b", ""},
		{"FILE://LOCALHOST/a", "/a", ""},
		{"file://localhost/C:/a", "/C:/a", "C:/a"},
		{"file:///C:/", "/C:", "C:/"},
		{"file:///C:/a%20b", "/C:/a b", "C:/a b"},
		{"file:///c%3A/a", "/c:/a", "c:/a"},
		{"file:///a%2Db", "/a-b", ""},
		{"file:///%c3%a9", "/é", ""},
		{"file:///a%5Cb", `/a\b`, ""},
		{"file:///a;b,c='(d)'&e@f", "/a;b,c='(d)'&e@f", ""},
		{"file:///100%25", "/100%", ""},
		{"file:///...", "/...", ""},
		{"file:///a/C:/b", "/a/C:/b", ""},
		{"file:///C:/f.txt:stream", "/C:/f.txt:stream", ""},
		{"file:///C:/f.txt%3astream", "/C:/f.txt:stream", ""},
		{"file:///C:/a%5cb", `/C:/a\b`, ""},
		{"file:///CC:/a", "/CC:/a", ""},

		{"", "", ""},
		{"file:", "", ""},
		{"file:/a", "", ""},
		{"file://", "", ""},
		{"file://host/a", "", ""},
		{"file://host:80/a", "", ""},
		{"file://user@localhost/a", "", ""},
		{"http://localhost/a", "", ""},
		{"a/b", "", ""},
		{"/a/b", "", ""},
		{"file:////etc", "", ""},
		{"file:///a//b", "", ""},
		{"file:///a/b//", "", ""},
		{"file:///a/../b", "", ""},
		{"file:///a/./b", "", ""},
		{"file:///..", "", ""},
		{"file:///a/%2e%2e/b", "", ""},
		{"file:///a/.%2E/b", "", ""},
		{"file:///a%2fb", "", ""},
		{"file:///a%2F..%2F..%2Fetc", "", ""},
		{"file:///a%00b", "", ""},
		{"file:///a%", "", ""},
		{"file:///a%2", "", ""},
		{"file:///a%zz", "", ""},
		{"file:///a%ff", "", ""},
		{`file:///a\b`, "", ""},
		{"file:///a b", "", ""},
		{"file:///a?b", "", ""},
		{"file:///a#b", "", ""},
		{"file:///é", "", ""},
		{"file:///a\nb", "", ""},
	} {
		for windows, want := range map[bool]string{false: tt.unix, true: tt.windows} {
			got, err := parse(tt.uri, windows)
			if got != want || (err == nil) != (want != "") {
				t.Errorf("%q, Windows %v: %q, %v; want %q", tt.uri, windows, got, err, want)
			}
		}
	}
}

func TestURI(t *testing.T) {
	for path, want := range map[string]string{
		"/":                "file:///",
		"/a/b c.md":        "file:///a/b%20c.md",
		"/100%":            "file:///100%25",
		`/a\b?c#d`:         "file:///a%5Cb%3Fc%23d",
		"/é\u202e[1]":      "file:///%C3%A9%E2%80%AE%5B1%5D",
		"/a\nb\x00{x}|^`~": "file:///a%0Ab%00%7Bx%7D%7C%5E%60~",
		"C:/a b":           "file:///C:/a%20b",
	} {
		if got := format(path); got != want {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
	}
}

// FuzzParse checks that every accepted URI stands for a path without special segments, whose URI stands for the same path.
func FuzzParse(f *testing.F) {
	for _, uri := range []string{"file:///a/b%20c", "file:///C:/a", "file:///a%2f..", "file://localhost/%e2%80%ae", "file:///%5c%5c?"} {
		f.Add(uri, false)
		f.Add(uri, true)
	}
	f.Fuzz(func(t *testing.T, uri string, windows bool) {
		path, err := parse(uri, windows)
		if err != nil {
			return
		}
		for i, name := range strings.Split(strings.TrimSuffix(strings.TrimPrefix(path, "/"), "/"), "/") {
			if name == "." || name == ".." || name == "" && path != "/" || strings.ContainsRune(name, 0) || windows && strings.ContainsAny(name, `\:`) != (i == 0) {
				t.Errorf("%q is read as %q", uri, path)
			}
		}
		if windows == (path[0] == '/') {
			t.Errorf("%q is read as %q", uri, path)
		}
		again, err := parse(format(path), windows)
		if err != nil || again != path {
			t.Errorf("%q is read as %q, and its URI %q as %q, %v", uri, path, format(path), again, err)
		}
	})
}
