package syntax

import (
	"strings"
	"testing"
)

// marked is lines with what is not plain in brackets, behind the first letter of its kind.
func marked(h *Highlighter, lines ...string) string {
	var out []string
	for _, line := range lines {
		var b strings.Builder
		for _, s := range h.Line(line) {
			if s.Kind == Plain {
				b.WriteString(s.Text)
			} else {
				b.WriteString(string("pcsnk"[s.Kind]) + "[" + s.Text + "]")
			}
		}
		out = append(out, b.String())
	}
	return strings.Join(out, "|")
}

func TestLine(t *testing.T) {
	for _, tt := range []struct{ name, first, text, want string }{
		{"main.go", "", "func f() { return 0x1F } // x", "k[func] f() { k[return] n[0x1F] } c[// x]"},
		{"main.go", "", "a /* b|c */ d `e|\\` f \"g\\\"h\"", "a c[/* b]|c[c */] d s[`e]|s[\\`] f s[\"g\\\"h\"]"},
		{"a.c", "", `"open|if x2 = 'y'`, `s["open]|k[if] x2 = s['y']`},
		{"a.py", "", `x = """a|b""" # c`, `x = s["""a]|s[b"""] c[# c]`},
		{"a.PY", "", "class None1: pass", "k[class] None1: k[pass]"},
		{"tool", "#!/usr/bin/env python3.11", "def f(): pass", "k[def] f(): k[pass]"},
		{"tool", "#!/bin/sh", "if [ $# -gt 1 ]; then echo 'a|b' #c", "k[if] [ $# -gt n[1] ]; k[then] echo s['a]|s[b'] c[#c]"},
		{"x/Makefile", "", "a#b", "a#b"},
		{"a.sql", "", "Select 'a' -- b", "k[Select] s['a'] c[-- b]"},
		{"a.html", "", `<p class="x"><!-- a|b -->`, `<p classs[="x"]>c[<!-- a]|c[b -->]`},
		{"a.json", "", `{"a": [1.5, true]}`, `{s["a"]: [n[1].n[5], k[true]]}`},
		{"a.rs", "", "fn f<'a>(x: &'a str)", "k[fn] f<'a>(x: &'a k[str])"},
		{"notes.txt", "", "if 1", "if 1"},
		{"日本.go", "", "var 漢1 = 2", "k[var] 漢1 = n[2]"},
	} {
		if got := marked(New(tt.name, tt.first), strings.Split(tt.text, "|")...); got != tt.want {
			t.Errorf("%s: got  %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// TestLanguages: names are those of one language.
func TestLanguages(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range languages() {
		for name := range strings.FieldsSeq(l.names) {
			if seen[name] || name != strings.ToLower(name) {
				t.Errorf("%s is named twice, or not in lower case", name)
			}
			seen[name] = true
		}
	}
}

// FuzzLine: the parts are the line, whatever the language.
func FuzzLine(f *testing.F) {
	f.Add(uint8(0), "/* \\\n\"`'''\xff # // <!--\n*/ 'x' 9z")
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		all := languages()
		h := New(strings.Fields(all[int(which)%len(all)].names)[0], "")
		for line := range strings.SplitSeq(text, "\n") {
			var b strings.Builder
			for _, s := range h.Line(line) {
				b.WriteString(s.Text)
			}
			if b.String() != line {
				t.Fatalf("the parts of %q are %q", line, b.String())
			}
		}
	})
}
