package minimatch

import (
	"errors"
	"regexp"
	"strings"
	"testing"
)

// FuzzMatch: no pattern panics, and a negation matches what the pattern does not.
func FuzzMatch(f *testing.F) {
	for _, p := range []string{"**/*.go", "a!(b|c)d", "{a,b{1..3}}/*", "[[:alpha:]-]", "[]a]", "+(a|*(b))", `\{a,b\}`, "a/../b", "**/a/**/b/c/**/d", "?(", "[", "!!a"} {
		f.Add(p, "a/b/c")
	}
	longRange := regexp.MustCompile(`\.\.-?\d{4}|\d{4}\.\.`)
	f.Fuzz(func(t *testing.T, pattern, path string) {
		path = strings.ToValidUTF8(path, "?")
		if len(pattern) > 200 || len(path) > 200 || strings.Count(pattern, "{") > 8 || longRange.MatchString(pattern) {
			return // a pattern with that many expansions takes a second
		}
		p, err := Compile(pattern)
		if err != nil || pattern == "" || pattern[0] == '#' {
			return
		}
		n, err := Compile("!" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		if p.Match(path) == n.Match(path) {
			t.Errorf("%q and its negation agree about %q", pattern, path)
		}
	})
}

// TestMatch compares a few patterns of every kind; the random calls of test/conformance compare more with the original.
func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, path string
		want          bool
	}{
		{"*.go", ".go", true},
		{"*", "a/b", false},
		{"a/**", "a", false},
		{"a/**", "a/b/c", true},
		{"**/b", "b", true},
		{"a/../b", "b", true},
		{"./a", "a", false},
		{"a!(b)c", "abc", false},
		{"a!(b)c", "axc", true},
		{"!(a)", "a", true}, // the negation of (a)
		{"{a,b}{1..2}", "b2", true},
		{"{a}", "{a}", true},
		{"[[:upper:]]x", "Éx", true},
		{"[b-a]x", "ax", false},
		{"?", "\U0001f600", false}, // two UTF-16 units
		{"??", "\U0001f600", true},
		{"#a", "#a", false},
		{`\#a`, "#a", true},
		{"", "a", false},
		{"!{,}", "a", true},
		// The original does not escape these in its regular expressions.
		{`a\|b*`, "ax", true},
		{`a\|b*`, "xb", true},
		{`a\|b*`, "a|b", true},
		{`a\|b*`, "xa", false},
		{`a\|b`, "a", false},
		{`a\|b`, "a|b", true},
		{`@(a\|b)c`, "bc", true},
		{`x!(a\|b)`, "xac", false},
		{`x!(a\|b)`, "xbc", true},
		{`[\^a]`, "b", true},
		{`[\^a]`, "^", true},
		{`[\^a]`, "a", false},
		{`[z-a^)]`, ")", false},
		{`[z-a^)]`, "z", true},
		{`[[:graph:]^]`, " ", true},
		{`[\^-b]x`, "bx", false},
		{`[\^-b]x`, "ax", true},
		{"[[:print:]]", "a", false},
		{"[[:print:]]", "\x01", true},
		{"[![:print:]]", "a", true},
		{"[\U0001f600a][[:alpha:]]", "\U0001f600b", true},
		{"[!-\U0001f600][[:alpha:]]", "\U0001f5ffb", true},
		{"a!(b[[:alpha:]]+(-))", "a-", true}, // the groups in it are dropped
		{"[[:alpha:]][\u2028]", "a\u2028", true},
	} {
		p, err := Compile(tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Match(tt.path); got != tt.want {
			t.Errorf("%q matches %q: %v", tt.pattern, tt.path, got)
		}
	}
	for _, pattern := range []string{"[[:alpha:]]-", "[[:alpha:]][\U0001f600-\uffff]"} {
		_, err := Compile(pattern)
		if _, invalid := errors.AsType[*InvalidError](err); !invalid {
			t.Errorf("%q: %v", pattern, err)
		}
	}
	if _, err := Compile(strings.Repeat("a", maxUnits+1)); err != ErrTooLong {
		t.Errorf("got %v", err)
	}
}

// TestTooLong checks that a pattern does not take memory out of proportion.
func TestTooLong(t *testing.T) {
	for _, pattern := range []string{strings.Repeat("a", maxUnits+1), "{0..99999}" + strings.Repeat("?", 60_000), strings.Repeat("{a,b}", 60)} {
		if _, err := Compile(pattern); !errors.Is(err, ErrTooLong) {
			t.Errorf("%.20s...: %v", pattern, err)
		}
	}
	if _, err := Compile("{0..99999}"); err != nil {
		t.Error(err)
	}
}
